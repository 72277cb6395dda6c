import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { type IngestAllOptions, ingestAll, type UsageClient } from "../../src/usage/index.ts";
import { explainFileError, UsageError } from "../shared/arguments.ts";
import { Input, type Line, type Position, sendExactly } from "./input.ts";

/** Options for an ingestion. */
export interface IngestionOptions extends Pick<IngestAllOptions, "concurrency" | "retryFor" | "onRetry"> {
  /** The path of the file, or `-` for stdin. */
  readonly path: string;
  readonly client: UsageClient;
  /** Identifies the service and the token without containing them: a checkpoint is valid only for its own target. */
  readonly target: string;
  /** Whether to send every line. */
  readonly restart: boolean;
  /** Called after each batch. */
  readonly onProgress: () => void;
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

/** The position in a file up to which everything is stored or rejected, as saved beside the file. */
interface Checkpoint extends Position {
  /** The SHA-256 of the file when it was first ingested, from which the identifiers of its events are derived. */
  readonly digest: string;
  /** The number of bytes that `digest` covers. Lines may have been appended since. */
  readonly size: number;
  readonly target: string;
  /** The size of the file of rejected lines. */
  readonly rejected: number;
}

/** The maximum length of the text that is kept of a rejected line, in characters. */
const MAX_TEXT = 65_536;

// Windows has no such flag, and needs a privilege to create a link.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const CREATE = constants.O_WRONLY | constants.O_CREAT | NO_FOLLOW;

/** One run of `billing ingest`. A line has the same `external_id` in every run, so that running again continues. */
export class Ingestion {
  readonly #options: IngestionOptions;
  readonly #input: Input;
  readonly #rejectedFile: string;
  readonly #abort = new AbortController();
  #checkpoint: Checkpoint | undefined;
  #state: IngestionState;

  /** @throws UsageError when the file cannot be read. */
  constructor(options: IngestionOptions) {
    this.#options = options;
    this.#input = new Input(options.path);
    this.#rejectedFile = `${this.isResumable ? options.path : "stdin"}.rejected.jsonl`;
    const counts = { inserted: 0, duplicates: 0, rejected: 0, without_external_id: 0 };
    this.#state = { resumed_after_line: 0, rejected_file: null, ...counts };
  }

  get state(): IngestionState {
    return this.#state;
  }

  /** Whether the same command continues this run. */
  get isResumable(): boolean {
    return this.#input.size !== undefined;
  }

  /** Returns the part of the file that was read, from 0 to 1; undefined for other inputs. */
  fractionRead(): number | undefined {
    return this.#input.fractionRead();
  }

  /** Stops reading. `run` ends when the requests in flight have ended. */
  stop(): void {
    this.#input.close();
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
    try {
      if (this.isResumable) await this.#start();
      for await (const lines of this.#input.parts(this.#checkpoint)) await this.#send(lines);
    } finally {
      if (!this.#input.isClosed) this.#input.destroy();
    }
    if (this.#input.isClosed) return false;
    // The next run needs the digest again if lines were appended: their identifiers are derived from it too.
    const { size = 0 } = statSync(this.#options.path, { throwIfNoEntry: false }) ?? {};
    if (this.#checkpoint && size <= this.#checkpoint.size) rmSync(this.#progressFile, { force: true });
    return true;
  }

  /** Finds where to start, and brings the files into that state before the first request. */
  async #start(): Promise<void> {
    const { target, restart, path } = this.#options;
    const saved = this.#readCheckpoint();
    const now = await this.#input.digest(saved?.size ?? 0);
    if (now === undefined) return;
    const isSame = saved !== undefined && saved.digest === now.first;
    const isResumed = saved?.target === target && !restart;
    if (isResumed && !isSame) {
      throw new UsageError(
        `${path} has changed since its first ${saved.line} lines were sent. To send every line, add --restart; stored events ` +
          "with the same external_id count as duplicates, those without are stored again.",
      );
    }
    const { line, bytes } = isResumed ? saved : { line: 0, bytes: 0 };
    const { digest, size } = isSame ? saved : { digest: now.whole, size: now.size };
    // Removes what a run wrote after its checkpoint.
    const isEmpty = !isResumed || saved.rejected === 0;
    if (isEmpty) rmSync(this.#rejectedFile, { force: true });
    const rejected = isEmpty ? 0 : writeTo(this.#rejectedFile, CREATE, "", saved.rejected);
    this.#state = { ...this.#state, resumed_after_line: line, rejected_file: rejected > 0 ? this.#rejectedFile : null };
    this.#write({ line, bytes, digest, size, target, rejected });
  }

  /** Sends a part of the lines, and saves how far all of them are stored or rejected. */
  async #send(lines: readonly Line[]): Promise<void> {
    const { client, concurrency, retryFor, onRetry, onProgress } = this.#options;
    const before = this.#state;
    const rejected: (readonly [index: number, reason: string])[] = [];
    let settled = 0;
    try {
      await ingestAll(sendExactly(client), this.#events(lines) as Iterable<never>, {
        ...{ concurrency, retryFor, onRetry, signal: this.#abort.signal, logLevel: "off" },
        onRejected: ({ index, problems }) => {
          const reasons = problems.map(({ path, message }) => (path ? `${path}: ${message}` : message));
          rejected.push([index, lines[index]?.reason ?? reasons.join("; ")]);
        },
        onProgress: (progress) => {
          settled = progress.settled;
          this.#state = {
            ...before,
            inserted: before.inserted + progress.inserted,
            duplicates: before.duplicates + progress.duplicates,
            rejected: before.rejected + progress.rejected,
            without_external_id: before.without_external_id + progress.withoutExternalId,
          };
          onProgress();
        },
      });
    } catch (error) {
      if (!this.#abort.signal.aborted) throw error;
    } finally {
      const known = rejected.filter(([index]) => index < settled).sort(([one], [other]) => one - other);
      this.#save(
        lines[settled - 1]?.after,
        known.map(([index, reason]) => entryOf(lines[index] as Line, reason)),
      );
    }
  }

  /** Yields the event of each line, or undefined for a line that cannot be sent, until the input is closed. */
  *#events(lines: readonly Line[]): Generator<unknown> {
    const digest = this.#checkpoint?.digest;
    for (const { value, text, after } of lines) {
      if (this.#input.isClosed) return;
      const lacksId = digest !== undefined && isObject(value) && !Object.hasOwn(value, "external_id");
      yield lacksId ? { ...value, external_id: externalIdOf(digest, after.line, text) } : value;
    }
  }

  get #progressFile(): string {
    return `${this.#options.path}.progress`;
  }

  #readCheckpoint(): Checkpoint | undefined {
    const flag = (constants.O_RDONLY | NO_FOLLOW) as unknown as string;
    try {
      const value: Checkpoint = JSON.parse(readFileSync(this.#progressFile, { encoding: "utf8", flag }));
      const { line, bytes, size, rejected, digest, target } = value;
      const areNumbers = [line, bytes, size, rejected].every((each) => Number.isSafeInteger(each) && each >= 0);
      if (areNumbers && typeof digest === "string" && typeof target === "string") return value;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    }
    throw new UsageError(
      `${this.#progressFile} is damaged, or was not written by this command. Delete it to send every line.`,
    );
  }

  /** Saves the position after the rejected lines that belong to it. */
  #save(position: Position | undefined, rejected: readonly string[]): void {
    let size = this.#checkpoint?.rejected ?? 0;
    if (rejected.length > 0) {
      this.#state = { ...this.#state, rejected_file: this.#rejectedFile };
      size = writeTo(this.#rejectedFile, CREATE | constants.O_APPEND, rejected.join(""));
    }
    if (this.#checkpoint && position) this.#write({ ...this.#checkpoint, ...position, rejected: size });
  }

  /** Replaces the checkpoint in one step, so that a crash leaves the old one or the new one. */
  #write(checkpoint: Checkpoint): void {
    const temporary = `${this.#progressFile}.new`;
    rmSync(temporary, { force: true });
    writeTo(temporary, CREATE | constants.O_EXCL, `${JSON.stringify(checkpoint)}\n`);
    renameSync(temporary, this.#progressFile);
    this.#checkpoint = checkpoint;
  }
}

/** Writes to a file, and waits for the disk. Does not follow a link. Returns the size of the file. */
function writeTo(path: string, flags: number, text: string, maximum = Number.POSITIVE_INFINITY): number {
  try {
    const file = openSync(path, flags, 0o666);
    try {
      if (fstatSync(file).size > maximum) ftruncateSync(file, maximum);
      writeSync(file, text);
      fsyncSync(file);
      return fstatSync(file).size;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new Error(`cannot write to ${path}: ${explainFileError(error)}.`);
  }
}

/** Returns a line of the file of rejected lines. */
function entryOf({ text, after }: Line, reason: string): string {
  const truncated = text.length > MAX_TEXT ? { truncated: true } : {};
  return `${JSON.stringify({ line: after.line, reason, text: text.slice(0, MAX_TEXT), ...truncated })}\n`;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns the `external_id` of a line that has none: a UUID of version 8 (RFC 9562) from the digest of the file, the number
 * of the line and its text. A line that is sent again gets the same one, so that the service counts it as a duplicate.
 */
function externalIdOf(digest: string, line: number, text: string): string {
  const hex = createHash("sha256").update(`${digest}\n${line}\n${text}`).digest("hex");
  const variant = "89ab"[Number.parseInt(hex[16] as string, 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
