import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { type IngestAllOptions, ingestAll, type UsageClient } from "../../src/usage/index.ts";
import { UsageError } from "../shared/arguments.ts";
import { explainFileError } from "../shared/files.ts";
import type { Input, Line } from "./input.ts";

/** Options for an ingestion. `signal` cancels the requests in flight. */
interface IngestionOptions extends Pick<IngestAllOptions, "concurrency" | "retryFor" | "onRetry" | "signal"> {
  readonly input: Input;
  readonly client: UsageClient;
  /** Identifies the service and the token without containing them: a checkpoint is valid only for its own target. */
  readonly target: string;
  /** Sends every line, whatever earlier runs have sent. */
  readonly again: boolean;
  /** Called after each batch. */
  readonly onProgress: (state: IngestionState) => void;
}

/** The state of an ingestion. Its numbers count the lines of this run. */
export interface IngestionState {
  /** Whether an earlier run has sent the whole file, so that this one sends nothing. */
  already_complete: boolean;
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
  /** The number of failed requests that were retried. If their events were stored, these count as duplicates. */
  retries: number;
}

/** The number of lines after which an input without JSON is taken for another format. */
const SAMPLE = 100;

/** One run of `billing ingest`. A line has the same `external_id` in every run, so that running again continues. */
export class Ingestion {
  readonly #options: IngestionOptions;
  readonly #saved: SavedRun;
  #checkpoint: Checkpoint | undefined;
  readonly state: IngestionState = {
    ...{ already_complete: false, resumed_after_line: 0, inserted: 0, duplicates: 0, rejected: 0, unconfirmed: 0 },
    ...{ rejected_file: null, retries: 0 },
  };

  /** @throws UsageError if the input is a file that an earlier run wrote. */
  constructor(options: IngestionOptions) {
    this.#options = options;
    this.#saved = new SavedRun(options.input);
  }

  /**
   * Sends every line. Returns whether the input was read to its end.
   *
   * @throws The error that ended the run. What is complete is saved in any case.
   */
  async run(): Promise<boolean> {
    const { input } = this.#options;
    try {
      if (input.file) await this.#start();
      if (this.state.already_complete) return true;
      for await (const lines of input.parts(this.#checkpoint?.line)) {
        this.#requireJson(lines);
        if (this.#checkpoint) this.#saved.save(this.#checkpoint);
        await this.#send(lines);
      }
      if (!input.isClosed && input.file && this.#checkpoint) this.#complete(input.file, this.#checkpoint);
      return !input.isClosed;
    } finally {
      this.#saved.unlock();
    }
  }

  /** Finds where to start. */
  async #start(): Promise<void> {
    const { target, input, again } = this.#options;
    this.#saved.lock();
    const digest = await input.digest();
    if (digest === undefined) return;
    const found = again ? undefined : this.#saved.read();
    const earlier = found?.target === target ? found : undefined;
    if (earlier && earlier.digest !== digest) throw this.#changed(earlier);
    const { rejected_bytes = 0, line = 0, complete = false } = earlier ?? {};
    if (rejected_bytes > 0) this.state.rejected_file = this.#saved.rejectedFile;
    this.state.resumed_after_line = line;
    this.state.already_complete = complete;
    this.#checkpoint = { line, digest, target, rejected_bytes, complete };
  }

  /** Saves that the file is complete. If it changed meanwhile, the next run would derive other identifiers from it. */
  #complete({ size, mtimeMs }: Pick<NonNullable<Input["file"]>, "size" | "mtimeMs">, checkpoint: Checkpoint): void {
    const now = statSync(this.#options.input.path);
    if (now.size !== size || now.mtimeMs !== mtimeMs) throw this.#changed(checkpoint);
    if (checkpoint.rejected_bytes === 0) this.#saved.forgetRejected();
    else this.#saved.reject("", checkpoint.rejected_bytes);
    this.#saved.save({ ...checkpoint, complete: true });
  }

  /** Fails if an input begins with an array or many lines that are not JSON objects, or has only such lines. */
  #requireJson(lines: readonly Line[]): void {
    const { input } = this.#options;
    const sample = lines.slice(0, SAMPLE);
    const [first] = sample;
    if (first?.number !== 1) return;
    const isArray = first.text.trimStart().startsWith("[");
    const hasJson = sample.some(({ isObject }) => isObject);
    if (!isArray && (hasJson || (sample.length < SAMPLE && !input.isEnded))) return;
    const what = /^[^{"]*[,;\t]/.test(first.text) ? ", and the first one looks like CSV" : "";
    const none = `none of its ${sample.length < SAMPLE ? "" : `first ${SAMPLE} `}lines is a JSON object${what}`;
    throw new UsageError(
      `${input.path}: ${isArray ? "begins with a JSON array" : none}. Nothing was sent. ` +
        "Convert the input to one JSON object per line (of a JSON array, jq -c '.[]' makes one), or read it in a program and call ingestAll.",
    );
  }

  #changed({ line, complete }: Checkpoint): UsageError {
    const part = complete ? "it was sent" : `its first ${line} lines were sent`;
    return new UsageError(
      `${this.#options.input.path} has changed since ${part}. Restore it, and put new lines into another file. To send ` +
        "every line, pass --again; stored events with the same external_id count as duplicates, those without are stored again.",
    );
  }

  /** Sends a part of the lines, and saves where the next part begins when all of them are stored or rejected. */
  async #send(lines: readonly Line[]): Promise<void> {
    const { client, onProgress, concurrency, retryFor, onRetry, signal } = this.#options;
    const before = { ...this.state };
    const reasons: string[] = [];
    const sent: Line[] = [];
    try {
      await ingestAll(client, this.#events(lines, sent) as Iterable<never>, {
        ...{ concurrency, retryFor, onRetry, signal, logLevel: "off" },
        onRejected: ({ index, problems }) => {
          const texts = problems.map(({ path, message }) => (path ? `${path}: ${message}` : message));
          reasons[index] = lines[index]?.reason ?? texts.join("; ");
        },
        onProgress: (progress) => {
          this.state.unconfirmed = progress.unconfirmed;
          this.state.inserted = before.inserted + progress.inserted;
          this.state.duplicates = before.duplicates + progress.duplicates;
          this.state.retries = before.retries + progress.retries;
          onProgress(this.state);
        },
      });
    } catch (error) {
      if (signal?.aborted === true) return;
      throw error;
    }
    if (this.state.unconfirmed > 0)
      throw new Error(
        "the counts in a response do not add up to the events in the request; they may not all be stored. If this " +
          "happens again, ask your provider why, or, if every line has an external_id, send the input with ingestAll.",
      );
    this.#settle(sent, reasons);
  }

  /**
   * Yields the event of each line, or undefined for a line that cannot be sent. Ends when a file is closed: another run
   * continues there. Other inputs cannot be read again.
   */
  *#events(lines: readonly Line[], sent: Line[]): Generator<unknown> {
    for (const line of lines) {
      if (this.#checkpoint && this.#options.input.isClosed) return;
      const { number, value, isObject } = line;
      const lacksId = this.#checkpoint && isObject && value && !Object.hasOwn(value, "external_id");
      sent.push(line);
      // The same in every run, so that the service counts a line that is sent again as a duplicate.
      yield lacksId ? { ...value, external_id: `${this.#checkpoint?.digest}-${number}` } : value;
    }
  }

  /** Writes the rejected ones of settled lines, then the position after these lines. */
  #settle(lines: readonly Line[], reasons: readonly string[]): void {
    const rejected = lines.flatMap(({ number, text }, index) => {
      const reason = reasons[index];
      return reason === undefined ? [] : `${JSON.stringify({ line: number, reason, text })}\n`;
    });
    let rejected_bytes = this.#checkpoint?.rejected_bytes;
    if (rejected.length > 0) {
      rejected_bytes = this.#saved.reject(rejected.join(""), rejected_bytes);
      this.state.rejected += rejected.length;
      this.state.rejected_file = this.#saved.rejectedFile;
    }
    const line = lines.at(-1)?.number;
    if (!this.#checkpoint || line === undefined || rejected_bytes === undefined) return;
    this.#checkpoint = { ...this.#checkpoint, line, rejected_bytes };
    this.#saved.save(this.#checkpoint);
  }
}

/** The position in a file up to which everything is stored or rejected, as saved beside the file. */
interface Checkpoint {
  readonly line: number;
  /** The SHA-256 of the file. */
  readonly digest: string;
  /** Identifies the service and the token. */
  readonly target: string;
  /** The size of the list of rejected lines. A resumed run writes after it, over what a crash left there. */
  readonly rejected_bytes: number;
  /** Whether every line is stored or rejected. */
  readonly complete: boolean;
}

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_RDONLY, O_RDWR, O_TRUNC } = constants;

/** The endings of the files of JSON lines that this command writes. They are never its input. */
const [REJECTED, PROGRESS] = [".rejected", ".progress"];

/**
 * The files beside an input: its lock, its progress and its rejected lines. No link is followed. All have its mode, and their
 * owner can read and write them.
 */
class SavedRun {
  readonly rejectedFile: string;
  readonly #progressFile: string;
  readonly #lockFile: string;
  readonly #mode: number;
  #isLocked = false;

  /** @throws UsageError if the input is such a file. */
  constructor({ path, file }: Input) {
    const ending = [REJECTED, PROGRESS].find((each) => path.endsWith(each));
    if (ending !== undefined) {
      const advice = `To send rejected lines again, run: jq -r .text usage.jsonl${REJECTED} > fixed.jsonl`;
      throw new UsageError(`${path}: this command writes files that end in ${ending}, and never sends them. ${advice}`);
    }
    this.rejectedFile = `${file ? path : "stdin"}${REJECTED}`;
    this.#progressFile = `${path}${PROGRESS}`;
    this.#lockFile = `${path}.lock`;
    this.#mode = 0o600 | (file ? file.mode & 0o777 : 0);
  }

  /**
   * Makes sure that no other run sends the same file.
   *
   * @throws Error that names the process which sends it.
   */
  lock(): void {
    try {
      this.#use(this.#lockFile, O_RDWR | O_CREAT | O_EXCL, (file) => {
        this.#isLocked = true;
        writeFileSync(file, String(process.pid));
      });
    } catch (error) {
      if (((error as Error).cause as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const owner = Number(this.#read(this.#lockFile));
      if (isRunning(owner))
        throw new Error(
          `process ${owner} is sending this file. Wait for it; if it has ended, delete ${this.#lockFile}.`,
        );
      rmSync(this.#lockFile, { force: true });
      this.lock();
    }
  }

  unlock(): void {
    if (this.#isLocked) rmSync(this.#lockFile, { force: true });
  }

  /**
   * Reads the progress of earlier runs; undefined if there is none.
   *
   * @throws UsageError if the file is damaged.
   */
  read(): Checkpoint | undefined {
    if (!existsSync(this.#progressFile)) return undefined;
    try {
      const value: Checkpoint = JSON.parse(this.#read(this.#progressFile));
      const isComplete = [value.line, value.rejected_bytes].every((size) => Number.isSafeInteger(size) && size >= 0);
      if (isComplete && [value.digest, value.target].every((text) => typeof text === "string")) return value;
    } catch {}
    const problem = "is damaged, or was not written by this command";
    throw new UsageError(`${this.#progressFile} ${problem}. Move it away to send every line.`);
  }

  /** Replaces the progress in one step, so that a crash leaves the old one or the new one. */
  save(checkpoint: Checkpoint): void {
    const created = `${this.#progressFile}.new`;
    this.#use(created, O_RDWR | O_CREAT | O_TRUNC, (file) => {
      writeFileSync(file, `${JSON.stringify(checkpoint)}\n`);
      fsyncSync(file);
    });
    renameSync(created, this.#progressFile);
  }

  /** Writes rejected lines after a part of the file, by default at its end, as other runs may. Returns the size. */
  reject(text: string, after?: number): number {
    return this.#use(this.rejectedFile, O_RDWR | O_CREAT | O_APPEND, (file) => {
      if (after !== undefined) ftruncateSync(file, after);
      writeFileSync(file, text);
      fsyncSync(file);
      return fstatSync(file).size;
    });
  }

  forgetRejected(): void {
    rmSync(this.rejectedFile, { force: true });
  }

  #read(path: string): string {
    return this.#use(path, O_RDONLY, (file) => readFileSync(file, "utf8"));
  }

  #use<Result>(path: string, flags: number, call: (file: number) => Result): Result {
    try {
      const file = openSync(path, flags | O_NOFOLLOW, this.#mode);
      try {
        // The umask may have removed a part of the mode. Only the owner may change it.
        const isOther = (fstatSync(file).mode & 0o777) !== this.#mode;
        if ((flags & O_CREAT) !== 0 && isOther) fchmodSync(file, this.#mode);
        return call(file);
      } finally {
        closeSync(file);
      }
    } catch (cause) {
      const why = "The command needs to save its progress and rejected lines there.";
      throw new Error(`cannot write ${path}: ${explainFileError(cause)}. ${why}`, { cause });
    }
  }
}

/** Whether a process is running. One with the id of this process has ended. */
function isRunning(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
