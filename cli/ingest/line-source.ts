import { createHash } from "node:crypto";
import { UsageError } from "../../terminal/usage-error.ts";
import { nameOfInput } from "../read-input.ts";
import { externalIdOf, lacksExternalId } from "./assign-external-id.ts";
import { type Checkpoint, type LineWindow, MAX_TEXT } from "./line-window.ts";
import { type Input, openInput } from "./open-input.ts";
import { MAX_LINE_BYTES, type ParsedLine, parseLine } from "./parse-line.ts";
import type { SavedProgress } from "./progress-file.ts";
import { type RawLine, splitLines } from "./split-lines.ts";

/** The number of lines between two positions at which a later run can continue. */
const MARK_EVERY = 100;

/** Reads the events of an input, after the lines that an earlier run has settled. */
export class LineSource {
  readonly #path: string;
  readonly #window: LineWindow;
  readonly #input: Input;
  readonly #hash = createHash("sha256");
  #isStopped = false;
  #withoutId = 0;

  constructor(path: string, window: LineWindow) {
    this.#path = path;
    this.#window = window;
    this.#input = openInput(path);
  }

  /** The number of events without `external_id`. */
  get withoutId(): number {
    return this.#withoutId;
  }

  /** Whether `stop` was called before the end of the input. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Returns the part of the file that was read, from 0 to 1; undefined for stdin. */
  fractionRead(): number | undefined {
    return this.#input.fractionRead();
  }

  /** Ends the input, as if it were at its end. */
  stop(): void {
    this.#isStopped = true;
    this.#window.open();
    this.close();
  }

  /** Closes the input. */
  close(): void {
    this.#input.close();
  }

  /**
   * Yields one value for each line that is not blank, and adds the line to the window: an event, or undefined for a line
   * that cannot be sent.
   *
   * @param start The progress of an earlier run; undefined for stdin, whose events get no `external_id`.
   * @param onStart Called when the lines before the progress were compared, before the first value.
   * @throws UsageError when the lines before the progress have changed.
   */
  async *values(start: SavedProgress | undefined, onStart: () => Promise<void>): AsyncGenerator<unknown> {
    const lines = this.#lines();
    await this.#skip(lines, start);
    await onStart();
    for (let next = await lines.next(); !next.done && !this.#isStopped; next = await lines.next()) {
      const line = next.value;
      const parsed = parseLine(line);
      if (parsed !== undefined) {
        yield this.#accept(line.number, parsed, start?.ingestion);
        await this.#window.room();
      }
      this.#note(line);
      if (line.number % MARK_EVERY === 0) this.#window.mark(this.#position(line.number));
    }
  }

  /** Reads the lines. Closing the input because of `stop` is not an error. */
  async *#lines(): AsyncGenerator<RawLine, void> {
    try {
      yield* splitLines(this.#input.chunks, MAX_LINE_BYTES);
    } catch (error) {
      if (!this.#isStopped) throw error;
    }
  }

  async #skip(lines: AsyncGenerator<RawLine, void>, start: SavedProgress | undefined): Promise<void> {
    if (start === undefined || start.line === 0) return;
    for (let line = 0; line < start.line; line++) {
      const next = await lines.next();
      if (this.#isStopped) return;
      if (next.done) throw this.#changed(start);
      this.#note(next.value);
    }
    if (this.#position(start.line).digest !== start.digest) throw this.#changed(start);
  }

  #accept(number: number, { text, ...parsed }: ParsedLine, ingestion: string | undefined): unknown {
    const { value, reason } = { value: undefined, reason: undefined, ...parsed };
    const lacksId = lacksExternalId(value);
    this.#window.add({ number, text: text.slice(0, MAX_TEXT), reason, lacksId });
    if (!lacksId) return value;
    this.#withoutId += 1;
    return ingestion === undefined ? value : { ...value, external_id: externalIdOf(ingestion, number, text) };
  }

  #note({ bytes }: RawLine): void {
    this.#hash.update(bytes).update("\n");
  }

  #position(line: number): Checkpoint {
    return { line, digest: this.#hash.copy().digest("hex") };
  }

  #changed({ line }: SavedProgress): UsageError {
    const name = nameOfInput(this.#path);
    return new UsageError(
      `${name} has changed: its first ${line} lines differ from those already sent. To send every line, add --restart; ` +
        "stored events with the same external_id count as duplicates.",
    );
  }
}
