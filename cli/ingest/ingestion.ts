import { statSync } from "node:fs";
import { type IngestAllOptions, ingestAll, type UsageClient } from "../../src/usage/index.ts";
import { UsageError } from "../shared/arguments.ts";
import type { Input, Line } from "./input.ts";
import { type Checkpoint, SavedRun, unwritable } from "./saved-run.ts";

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
  /** The number of events that are stored again if the input is ingested again. Always 0 for a file. */
  without_external_id: number;
  /** The number of failed requests that were retried. If their events were stored, these count as duplicates. */
  retries: number;
}

/** The number of lines after which an input without JSON is taken for another format. */
const SAMPLE = 100;

/** The maximum length of the text that is kept of a rejected line, in characters. */
const MAX_TEXT = 65_536;

/** One run of `billing ingest`. A line has the same `external_id` in every run, so that running again continues. */
export class Ingestion {
  readonly #options: IngestionOptions;
  readonly #saved: SavedRun;
  #checkpoint: Checkpoint | undefined;
  /** Whether an earlier run wrote the file of rejected lines. The first batch that is settled then replaces it. */
  #isRejectedOld = false;
  readonly state: IngestionState = {
    ...{ already_complete: false, resumed_after_line: 0, inserted: 0, duplicates: 0, rejected: 0, unconfirmed: 0 },
    ...{ rejected_file: null, without_external_id: 0, retries: 0 },
  };

  /** @throws UsageError if the input is a file that an earlier run wrote. */
  constructor(options: IngestionOptions) {
    this.#options = options;
    this.#saved = new SavedRun(options.input);
  }

  /**
   * Sends every line. Returns whether the input was read to its end.
   *
   * @throws The error that ended the run. The checkpoint is saved in any case.
   */
  async run(): Promise<boolean> {
    const { input } = this.#options;
    try {
      if (input.file) await this.#start();
      if (this.state.already_complete) return true;
      for await (const lines of input.parts(this.#checkpoint?.line)) {
        this.#requireJson(lines);
        await this.#send(lines);
      }
      if (!input.isClosed && input.file && this.#checkpoint) await this.#complete(input.file, this.#checkpoint);
      return !input.isClosed;
    } finally {
      this.#saved.unlock();
    }
  }

  /** Finds where to start, and saves it before the first request. */
  async #start(): Promise<void> {
    const { target, input, again } = this.#options;
    try {
      this.#saved.lock();
    } catch (error) {
      throw "code" in (error as Error) ? unwritable(error, input.path) : error;
    }
    const digest = await input.digest();
    if (digest === undefined) return;
    const found = again ? undefined : this.#saved.read();
    const earlier = found?.target === target ? found : undefined;
    if (earlier && earlier.digest !== digest) throw this.#changed(earlier);
    const { rejected_bytes = 0, line = 0, complete = false } = earlier ?? {};
    try {
      this.#isRejectedOld = rejected_bytes === 0;
      if (this.#saved.cutRejected(rejected_bytes)) this.state.rejected_file = this.#saved.rejectedFile;
      this.state.resumed_after_line = line;
      this.state.already_complete = complete;
      this.#checkpoint = { line, digest, target, rejected_bytes, complete };
      this.#saved.save(this.#checkpoint);
    } catch (error) {
      throw unwritable(error, this.#saved.progressFile);
    }
  }

  /** Saves that the file is complete. If it changed meanwhile, the next run would derive other identifiers from it. */
  async #complete({ size, mtimeMs }: Pick<NonNullable<Input["file"]>, "size" | "mtimeMs">, checkpoint: Checkpoint) {
    const { input } = this.#options;
    const now = statSync(input.path);
    const isTouched = now.size === size && now.mtimeMs !== mtimeMs;
    const isSame = isTouched ? (await input.digest()) === checkpoint.digest : now.size === size;
    if (input.isClosed) return;
    if (!isSame) throw this.#changed(checkpoint);
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
    this.#saved.forget();
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
    for (const { number, value, isObject } of lines) {
      if (this.#checkpoint && this.#options.input.isClosed) return;
      const lacksId = this.#checkpoint && isObject && value && !Object.hasOwn(value, "external_id");
      // The same in every run, so that the service counts a line that is sent again as a duplicate.
      yield lacksId ? { ...value, external_id: `${this.#checkpoint?.digest}-${number}` } : value;
    }
  }

  /** Writes the rejected ones of settled lines, then the position after these lines. */
  #settle(lines: readonly Line[], reasons: readonly string[]): void {
    if (this.#isRejectedOld && lines.length > 0) {
      if (this.#checkpoint) this.#saved.forgetRejected();
      this.#isRejectedOld = false;
    }
    const rejected = lines.flatMap((line, index) => entryOf(line, reasons[index]));
    let rejected_bytes = this.#checkpoint?.rejected_bytes ?? 0;
    if (rejected.length > 0) {
      rejected_bytes = this.#saved.reject(rejected.join(""));
      this.state.rejected += rejected.length;
      this.state.rejected_file = this.#saved.rejectedFile;
    }
    const line = lines.at(-1)?.number;
    if (!this.#checkpoint || line === undefined) return;
    this.#checkpoint = { ...this.#checkpoint, line, rejected_bytes };
    this.#saved.save(this.#checkpoint);
  }
}

/** Returns a line for the file of rejected lines, or nothing without a reason. */
function entryOf({ number, text }: Line, reason: string | undefined): string[] {
  if (reason === undefined) return [];
  const truncated = text.length > MAX_TEXT ? { truncated: true } : {};
  return [`${JSON.stringify({ line: number, reason, text: text.slice(0, MAX_TEXT), ...truncated })}\n`];
}
