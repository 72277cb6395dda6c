import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { type IngestAllOptions, ingestAll, type UsageClient } from "../../src/usage/index.ts";
import { explainFileError, UsageError } from "../shared/arguments.ts";
import type { Input, Line } from "./input.ts";

/** Options for an ingestion. `signal` cancels the requests in flight. */
interface IngestionOptions extends Pick<IngestAllOptions, "concurrency" | "retryFor" | "onRetry" | "signal"> {
  readonly input: Input;
  readonly client: UsageClient;
  /** Identifies the service and the token without containing them: a checkpoint is valid only for its own target. */
  readonly target: string;
  /** Called after each batch. */
  readonly onProgress: (state: IngestionState) => void;
}

/** The state of an ingestion. Its numbers count the lines of this run. */
export interface IngestionState {
  /** The number of lines that earlier runs have settled. */
  resumed_after_line: number;
  inserted: number;
  duplicates: number;
  /** The number of lines that this run wrote to the file of rejected lines. */
  rejected: number;
  /** The number of events in requests that succeeded with counts that do not add up. The next run sends them again. */
  unconfirmed: number;
  /** The file of rejected lines, including lines from earlier runs; null if there is none. */
  rejected_file: string | null;
  /** The number of events that are stored again if the input is ingested again. Always 0 for a file. */
  without_external_id: number;
  /** The number of failed requests that were retried. If their events were stored, these count as duplicates. */
  retries: number;
}

/** The position in a file up to which everything is stored or rejected, as saved beside the file. */
interface Checkpoint {
  readonly line: number;
  /** The SHA-256 of the file. */
  readonly digest: string;
  readonly target: string;
  /** The size of the file of rejected lines. A resumed run removes what a crash left after it. */
  readonly rejected_bytes: number;
}

/** The number of lines after which an input without JSON is taken for another format. */
const SAMPLE = 100;

/** The maximum length of the text that is kept of a rejected line, in characters. */
const MAX_TEXT = 65_536;

/** One run of `billing ingest`. A line has the same `external_id` in every run, so that running again continues. */
export class Ingestion {
  readonly #options: IngestionOptions;
  readonly #rejectedFile: string;
  readonly #progressFile: string;
  #checkpoint: Checkpoint | undefined;
  /** Whether an earlier run wrote the file of rejected lines. The first batch that is settled then replaces it. */
  #isRejectedOld = false;
  readonly state: IngestionState = {
    ...{ resumed_after_line: 0, inserted: 0, duplicates: 0, rejected: 0, unconfirmed: 0 },
    ...{ rejected_file: null, without_external_id: 0, retries: 0 },
  };

  constructor(options: IngestionOptions) {
    this.#options = options;
    this.#rejectedFile = `${options.input.size === undefined ? "stdin" : options.input.path}.rejected.jsonl`;
    this.#progressFile = `${options.input.path}.progress`;
  }

  /**
   * Sends every line. Returns whether the input was read to its end.
   *
   * @throws The error that ended the run. The checkpoint is saved in any case.
   */
  async run(): Promise<boolean> {
    const { input } = this.#options;
    if (input.size !== undefined) await this.#start();
    for await (const lines of input.parts(this.#checkpoint?.line)) {
      this.#requireJson(lines);
      await this.#send(lines);
    }
    if (input.isClosed || this.#checkpoint === undefined) return !input.isClosed;
    // The next run would derive other identifiers from the file.
    const { size, mtimeMs } = statSync(input.path);
    const isTouched = size === input.size && mtimeMs !== input.modified;
    const isSame = isTouched ? (await input.digest()) === this.#checkpoint.digest : size === input.size;
    if (input.isClosed) return false;
    if (!isSame) throw this.#changed(this.#checkpoint);
    rmSync(this.#progressFile, { force: true });
    return true;
  }

  /** Finds where to start, and saves it before the first request. */
  async #start(): Promise<void> {
    const { target, input } = this.#options;
    const digest = await input.digest();
    if (digest === undefined) return;
    const saved = this.#readCheckpoint();
    const isResumed = saved?.target === target;
    if (isResumed && saved.digest !== digest) throw this.#changed(saved);
    const kept = isResumed ? saved.rejected_bytes : 0;
    try {
      this.#isRejectedOld = kept === 0;
      if (kept > 0) cutTo(this.#rejectedFile, kept);
      if (statSync(this.#rejectedFile, { throwIfNoEntry: false })?.isDirectory())
        throw Object.assign(new Error(), { code: "EISDIR", path: this.#rejectedFile });
      if (kept > 0 && existsSync(this.#rejectedFile)) this.state.rejected_file = this.#rejectedFile;
      this.state.resumed_after_line = isResumed ? saved.line : 0;
      this.#save({ line: this.state.resumed_after_line, digest, target });
    } catch (error) {
      const { path = this.#progressFile } = error as NodeJS.ErrnoException;
      const problem = `cannot write ${path}: ${explainFileError(error)}`;
      throw new UsageError(`${problem}. Nothing was sent. Copy the input to a folder in which you can write.`);
    }
  }

  /** Fails if an input begins with an array or many lines that are not JSON objects, or has only such lines. */
  #requireJson(lines: readonly Line[]): void {
    const { input } = this.#options;
    const first = lines.slice(0, SAMPLE);
    if (first[0]?.number !== 1) return;
    const hasJson = first.some(({ value, reason = "not JSON" }) => isObject(value) || !reason.startsWith("not"));
    const isArray = /^\s*\[/.test(first[0].text);
    if (!isArray && (hasJson || (first.length < SAMPLE && !input.isEnded))) return;
    rmSync(this.#progressFile, { force: true });
    const sample = first.length < SAMPLE ? "" : `first ${SAMPLE} `;
    throw new UsageError(
      `${input.path}: ${isArray ? "begins with a JSON array" : `none of its ${sample}lines is a JSON object`}. Nothing was sent. ` +
        "Convert the input to one JSON object per line (of a JSON array, jq -c '.[]' makes one), or read it in a program and call ingestAll.",
    );
  }

  #changed({ line }: Checkpoint): UsageError {
    return new UsageError(
      `${this.#options.input.path} has changed since its first ${line} lines were sent. Restore it, and put new lines into another ` +
        `file. To send every line, delete ${this.#progressFile}; stored events with the same external_id count as ` +
        "duplicates, those without are stored again.",
    );
  }

  /** Sends a part of the lines, and saves how far all of them are stored or rejected. */
  async #send(lines: readonly Line[]): Promise<void> {
    const { client, onProgress, concurrency, retryFor, onRetry, signal } = this.#options;
    const before = { ...this.state };
    const reasons: string[] = [];
    let settled = 0;
    try {
      await ingestAll(client, this.#events(lines) as Iterable<never>, {
        ...{ concurrency, retryFor, onRetry, signal, logLevel: "off" },
        onRejected: ({ index, problems }) => {
          const texts = problems.map(({ path, message }) => (path ? `${path}: ${message}` : message));
          reasons[index] = lines[index]?.reason ?? texts.join("; ");
        },
        onProgress: (progress) => {
          this.state.unconfirmed = progress.unconfirmed;
          if (progress.unconfirmed === 0 || !this.#checkpoint) settled = progress.settled;
          this.state.inserted = before.inserted + progress.inserted;
          this.state.duplicates = before.duplicates + progress.duplicates;
          this.state.retries = before.retries + progress.retries;
          this.state.without_external_id = before.without_external_id + progress.withoutExternalId;
          onProgress(this.state);
        },
      });
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    } finally {
      this.#settle(lines.slice(0, settled), reasons);
    }
    if (this.state.unconfirmed > 0)
      throw new Error(
        "the counts in a response do not add up to the events in the request; they may not all be stored. If this " +
          "happens again, ask your provider why, or, if every line has an external_id, send the input with ingestAll.",
      );
  }

  /**
   * Yields the event of each line, or undefined for a line that cannot be sent. Ends when a file is closed: another run
   * continues there. Other inputs cannot be read again.
   */
  *#events(lines: readonly Line[]): Generator<unknown> {
    for (const { number, value } of lines) {
      if (this.#checkpoint && this.#options.input.isClosed) return;
      const lacksId = this.#checkpoint && isObject(value) && !Object.hasOwn(value, "external_id");
      // The same in every run, so that the service counts a line that is sent again as a duplicate.
      yield lacksId ? { ...value, external_id: `${this.#checkpoint?.digest}-${number}` } : value;
    }
  }

  /** Writes the rejected ones of settled lines, then the position after these lines. */
  #settle(lines: readonly Line[], reasons: readonly string[]): void {
    if (this.#isRejectedOld && lines.length > 0) {
      rmSync(this.#rejectedFile, { force: true });
      this.#isRejectedOld = false;
    }
    const rejected = lines.flatMap((line, index) => entryOf(line, reasons[index]));
    if (rejected.length > 0) {
      append(this.#rejectedFile, rejected.join(""));
      this.state.rejected += rejected.length;
      this.state.rejected_file = this.#rejectedFile;
    }
    const line = lines.at(-1)?.number;
    if (this.#checkpoint && line !== undefined) this.#save({ ...this.#checkpoint, line });
  }

  #readCheckpoint(): Checkpoint | undefined {
    if (!existsSync(this.#progressFile)) return undefined;
    try {
      const value: Checkpoint = JSON.parse(readFileSync(this.#progressFile, "utf8"));
      const isComplete = [value.line, value.rejected_bytes].every((size) => Number.isSafeInteger(size) && size >= 0);
      if (isComplete && [value.digest, value.target].every((text) => typeof text === "string")) return value;
    } catch {}
    const problem = "is damaged, or was not written by this command";
    throw new UsageError(`${this.#progressFile} ${problem}. Move it away to send every line.`);
  }

  /** Replaces the checkpoint in one step, so that a crash leaves the old one or the new one. */
  #save(position: Omit<Checkpoint, "rejected_bytes">): void {
    const checkpoint = { ...position, rejected_bytes: this.#isRejectedOld ? 0 : sizeOf(this.#rejectedFile) };
    writeFileSync(`${this.#progressFile}.new`, `${JSON.stringify(checkpoint)}\n`, { flush: true });
    renameSync(`${this.#progressFile}.new`, this.#progressFile);
    this.#checkpoint = checkpoint;
  }
}

/** Returns the size of a file; 0 if there is none. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Appends to a file, or changes nothing: a full disk may have room for a part of the text. */
function append(file: string, text: string): void {
  const size = sizeOf(file);
  try {
    appendFileSync(file, text, { flush: true });
  } catch (error) {
    cutTo(file, size);
    throw error;
  }
}

/** Removes what a file has beyond a size. */
function cutTo(file: string, size: number): void {
  if (sizeOf(file) > size) truncateSync(file, size);
}

/** Returns a line for the file of rejected lines, or nothing without a reason. */
function entryOf({ number, text }: Line, reason: string | undefined): string[] {
  if (reason === undefined) return [];
  const truncated = text.length > MAX_TEXT ? { truncated: true } : {};
  return [`${JSON.stringify({ line: number, reason, text: text.slice(0, MAX_TEXT), ...truncated })}\n`];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
