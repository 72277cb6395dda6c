import { createHash } from "node:crypto";
import { type EventProblem, type IngestAllOptions, ingestAll, type UsageClient } from "../../src/usage/index.ts";
import { UsageError } from "../shared/arguments.ts";
import { type Checkpoint, CheckpointFile, RejectedFile } from "./files.ts";
import { Input, type ParsedLine, type Position, parseLine, type RawLine, sendExactly } from "./input.ts";

/** Options for an ingestion. */
export interface IngestionOptions extends Pick<IngestAllOptions, "concurrency" | "retryFor" | "onRetry"> {
  /** The path of the file, or `-` for stdin. */
  readonly path: string;
  readonly client: UsageClient;
  /** Identifies the service and the token: a checkpoint is valid only for its own target. */
  readonly target: string;
  /** Whether to send every line. */
  readonly restart: boolean;
  /** Called after each batch. */
  readonly onProgress: (state: IngestionState) => void;
}

/** The state of an ingestion. Its numbers count the lines of this run. */
export interface IngestionState {
  /** The number of lines that earlier runs have settled. */
  readonly resumed_after_line: number;
  readonly inserted: number;
  readonly duplicates: number;
  readonly rejected: number;
  /** The file of rejected lines, including those of earlier runs; null if there is none. */
  readonly rejected_file: string | null;
  /** The number of events that are stored again if the input is ingested again. Always 0 for a file. */
  readonly without_external_id: number;
}

/** A line that was read and is not settled. */
interface LineInFlight {
  readonly text: string;
  readonly reason: string | undefined;
  readonly after: Position;
}

/** The maximum length of the text that is kept of a line, in characters. */
const MAX_TEXT = 65_536;
const MAX_LINES = 50_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;
const SAVE_EVERY = 250;
const START: Position = { line: 0, bytes: 0 };

/** One run of `billing ingest`. A line has the same `external_id` in every run, so that running again continues. */
export class Ingestion {
  readonly #options: IngestionOptions;
  readonly #input: Input;
  readonly #file: CheckpointFile | undefined;
  readonly #rejected: RejectedFile;
  readonly #abort = new AbortController();
  /** The lines in flight, by their position among the lines of this run that are not blank. */
  readonly #lines = new Map<number, LineInFlight>();
  readonly #counts = { inserted: 0, duplicates: 0, rejected: 0, withoutExternalId: 0 };
  #read = 0;
  #settled = 0;
  #characters = 0;
  #resumedAfter = 0;
  #checkpoint: Checkpoint | undefined;
  #saved = 0;
  #wake: () => void = () => {};
  /** The error of a file that could not be written. */
  #failure: { readonly error: unknown } | undefined;

  /** @throws UsageError when the file cannot be read. */
  constructor(options: IngestionOptions) {
    this.#options = options;
    this.#input = new Input(options.path);
    const isFile = this.#input.size !== undefined;
    this.#file = isFile ? new CheckpointFile(options.path) : undefined;
    this.#rejected = new RejectedFile(isFile ? options.path : undefined);
  }

  /** The state now. */
  get state(): IngestionState {
    const { inserted, duplicates, rejected, withoutExternalId } = this.#counts;
    return {
      resumed_after_line: this.#resumedAfter,
      inserted,
      duplicates,
      rejected,
      rejected_file: this.#rejected.isEmpty ? null : this.#rejected.path,
      without_external_id: withoutExternalId,
    };
  }

  /** Whether the same command continues this run. */
  get isResumable(): boolean {
    return this.#file !== undefined;
  }

  /** Returns the part of the file that was read, from 0 to 1; undefined for other inputs. */
  fractionRead(): number | undefined {
    return this.#input.fractionRead();
  }

  /** Stops reading. `run` ends when the requests in flight have ended. */
  stop(): void {
    this.#input.close();
    this.#wake();
  }

  /** Cancels the requests in flight. */
  cancel(): void {
    this.stop();
    this.#abort.abort();
  }

  /**
   * Sends every line. Returns whether the input was read to its end.
   *
   * @throws The error that ended the run. The checkpoint is saved in any case.
   */
  async run(): Promise<boolean> {
    let isComplete = false;
    try {
      await this.#start();
      await this.#ingest();
      isComplete = this.#failure === undefined && !this.#input.isClosed;
    } catch (error) {
      const isCanceled = this.#failure !== undefined || this.#abort.signal.aborted;
      if (!isCanceled) throw error;
    } finally {
      this.#input.close();
      if (this.#failure === undefined) this.#save();
      this.#rejected.close();
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    if (isComplete) this.#file?.remove();
    return isComplete;
  }

  /** Finds where to start, and brings the files into that state before the first request. */
  async #start(): Promise<void> {
    if (this.#file === undefined) return;
    const { target, restart, path } = this.#options;
    const saved = this.#file.read();
    const now = await this.#input.digest(saved?.size ?? 0);
    if (now === undefined) return;
    const isSame = saved !== undefined && saved.digest === now.first;
    const isResumed = saved?.target === target && !restart;
    if (isResumed && !isSame) throw hasChanged(path, saved.line);
    const { digest, size } = isSame ? saved : { digest: now.whole, size: now.size };
    this.#checkpoint = { ...START, ...(isResumed && { line: saved.line, bytes: saved.bytes }), digest, size, target };
    this.#resumedAfter = this.#checkpoint.line;
    await this.#rejected.keepUpTo(this.#resumedAfter);
    this.#file.write(this.#checkpoint);
  }

  async #ingest(): Promise<void> {
    const { client, concurrency, retryFor, onRetry } = this.#options;
    await ingestAll(sendExactly(client), this.#values() as AsyncIterable<never>, {
      concurrency,
      retryFor,
      onRetry,
      signal: this.#abort.signal,
      logLevel: "off",
      onRejected: ({ index, problems }) => this.#guard(() => this.#reject(index, problems)),
      onProgress: (progress) => {
        Object.assign(this.#counts, progress);
        this.#guard(() => this.#settle(progress.settled));
        this.#options.onProgress(this.state);
      },
    });
  }

  /** Yields one value for each line that is not blank: an event, or undefined for a line that cannot be sent. */
  async *#values(): AsyncGenerator<unknown> {
    for await (const raw of this.#input.lines(this.#checkpoint ?? START)) {
      if (this.#input.isClosed) return;
      const line = parseLine(raw);
      if (line === undefined) continue;
      yield this.#accept(line, raw);
      await this.#room();
    }
  }

  #accept({ text, value, reason }: ParsedLine, { after }: RawLine): unknown {
    const line = { text: text.slice(0, MAX_TEXT), reason, after };
    this.#lines.set(this.#read, line);
    this.#read += 1;
    this.#characters += line.text.length;
    const digest = this.#checkpoint?.digest;
    if (digest === undefined || !lacksExternalId(value)) return value;
    return { ...value, external_id: externalIdOf(digest, after.line, text) };
  }

  /** Waits while too many lines are in flight, because one request fails again and again. */
  async #room(): Promise<void> {
    const isFull = () =>
      this.#lines.size > MAX_LINES || (this.#characters > MAX_CHARACTERS && this.#lines.size > 1_000);
    while (isFull() && !this.#input.isClosed) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  #reject(index: number, problems: readonly EventProblem[]): void {
    const line = this.#lines.get(index);
    if (line === undefined) throw new Error(`line for event ${index} is missing.`);
    const reason =
      line.reason ?? problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
    const truncated = line.text.length === MAX_TEXT ? { truncated: true } : {};
    this.#rejected.add({ line: line.after.line, reason, text: line.text, ...truncated });
  }

  /** Removes the first lines, which are stored or rejected. */
  #settle(settled: number): void {
    for (; this.#settled < settled; this.#settled += 1) {
      const line = this.#lines.get(this.#settled);
      this.#lines.delete(this.#settled);
      this.#characters -= line?.text.length ?? 0;
      if (this.#checkpoint !== undefined) this.#checkpoint = { ...this.#checkpoint, ...line?.after };
    }
    this.#wake();
    if (performance.now() - this.#saved > SAVE_EVERY) this.#save();
  }

  /** Saves the checkpoint after the rejected lines that belong to it. */
  #save(): void {
    this.#saved = performance.now();
    if (this.#checkpoint === undefined) return;
    this.#rejected.sync();
    this.#file?.write(this.#checkpoint);
  }

  /** `ingestAll` continues after an error of its callbacks, but a line must not be lost. */
  #guard(action: () => void): void {
    if (this.#failure !== undefined) return;
    try {
      action();
    } catch (error) {
      this.#failure = { error };
      this.cancel();
    }
  }
}

function hasChanged(path: string, line: number): UsageError {
  return new UsageError(
    `${path} has changed since its first ${line} lines were sent. To send every line, add --restart; stored events with ` +
      "the same external_id count as duplicates, those without are stored again.",
  );
}

/** Whether a value is an event without `external_id`. */
function lacksExternalId(value: unknown): value is object {
  const isEvent = typeof value === "object" && value !== null && !Array.isArray(value);
  return isEvent && !Object.hasOwn(value, "external_id");
}

/**
 * Returns the `external_id` of a line that has none: a UUID of version 8 (RFC 9562) from the digest of the file, the number
 * of the line and its text. A line that is sent again gets the same one, so that the service counts it as a duplicate.
 */
function externalIdOf(digest: string, line: number, text: string): string {
  const hex = createHash("sha256").update(`${digest}\n${line}\n${text}`).digest("hex");
  const variant = ((Number.parseInt(hex[16] as string, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
