import { randomUUID } from "node:crypto";
import {
  type EventProblem,
  type IngestAllOptions,
  type IngestProgress,
  ingestAll,
  type UsageClient,
} from "../../src/usage/index.ts";
import { LineSource } from "./line-source.ts";
import { LineWindow, MAX_TEXT } from "./line-window.ts";
import { ProgressFile, type SavedProgress } from "./progress-file.ts";
import { RejectedFile } from "./rejected-file.ts";

/** Options for an ingestion. */
export interface IngestionOptions extends Pick<IngestAllOptions, "concurrency" | "retryFor" | "onRetry"> {
  /** The path of the file, or `-` for stdin. */
  readonly path: string;
  readonly client: UsageClient;
  /** Whether to ignore the progress of an earlier run. */
  readonly restart: boolean;
  /** Called after each batch. */
  readonly onProgress: (state: IngestionState) => void;
}

/** The state of an ingestion. */
export interface IngestionState {
  /** The number of lines that an earlier run has settled. */
  readonly resumed_after_line: number;
  readonly inserted: number;
  readonly duplicates: number;
  /** The number of rejected lines, including those of earlier runs. */
  readonly rejected: number;
  /** The file of rejected lines; null if no line was rejected. */
  readonly rejected_file: string | null;
  /** The number of events of this run without `external_id`, except rejected ones. */
  readonly without_external_id: number;
}

const SAVE_EVERY = 250;
const NOTHING: Pick<IngestProgress, "inserted" | "duplicates"> = { inserted: 0, duplicates: 0 };
const FROM_THE_START = { line: 0, digest: "" };

/** One run of `billing ingest`: sends a file, and keeps a record of its progress so that another run can continue. */
export class Ingestion {
  readonly #options: IngestionOptions;
  readonly #window = new LineWindow();
  readonly #source: LineSource;
  readonly #rejected: RejectedFile;
  readonly #progressFile: ProgressFile | undefined;
  readonly #start: SavedProgress | undefined;
  readonly #abort = new AbortController();
  #counts = NOTHING;
  #saved = 0;
  #rejectedWithoutId = 0;
  /** The error of a file that could not be written. */
  #failure: { readonly error: unknown } | undefined;

  /** @throws UsageError when the file or its progress cannot be read. */
  constructor(options: IngestionOptions) {
    this.#options = options;
    this.#source = new LineSource(options.path, this.#window);
    this.#rejected = new RejectedFile(options.path);
    this.#progressFile = options.path === "-" ? undefined : new ProgressFile(options.path);
    this.#start = this.#readStart();
  }

  /** The state now. */
  get state(): IngestionState {
    return {
      resumed_after_line: this.#start?.line ?? 0,
      inserted: this.#counts.inserted,
      duplicates: this.#counts.duplicates,
      rejected: this.#rejected.count,
      rejected_file: this.#rejected.count > 0 ? this.#rejected.path : null,
      without_external_id: this.#source.withoutId - this.#rejectedWithoutId,
    };
  }

  /** Returns the part of the file that was read, from 0 to 1; undefined for stdin. */
  fractionRead(): number | undefined {
    return this.#source.fractionRead();
  }

  /** Stops reading. `run` ends when the requests in flight have ended. */
  stop(): void {
    this.#source.stop();
  }

  /** Cancels the requests in flight. */
  cancel(): void {
    this.stop();
    this.#abort.abort();
  }

  /**
   * Sends every line. Returns whether the input was read to its end.
   *
   * @throws The error that ended the run. The progress is saved in any case.
   */
  async run(): Promise<boolean> {
    let isComplete = false;
    try {
      await this.#ingest();
      isComplete = this.#failure === undefined && !this.#source.isStopped;
    } catch (error) {
      const isCanceled = this.#failure !== undefined || this.#abort.signal.aborted;
      if (!isCanceled) throw error;
    } finally {
      this.#close(isComplete);
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    return isComplete;
  }

  async #ingest(): Promise<void> {
    const { client, concurrency, retryFor, onRetry } = this.#options;
    const values = this.#source.values(this.#start, () => this.#prepare());
    await ingestAll(client, values as AsyncIterable<never>, {
      concurrency,
      retryFor,
      onRetry,
      signal: this.#abort.signal,
      logLevel: "off",
      onRejected: ({ index, problems }) => this.#guard(() => this.#reject(index, problems)),
      onProgress: (progress) => this.#guard(() => this.#progressed(progress)),
    });
  }

  #readStart(): SavedProgress | undefined {
    if (this.#progressFile === undefined) return undefined;
    const saved = this.#progressFile.read();
    if (saved === undefined) return { ingestion: randomUUID(), ...FROM_THE_START };
    // Lines that are sent again keep their `external_id`.
    return this.#options.restart ? { ...saved, ...FROM_THE_START } : saved;
  }

  /** Brings the files into the state of the start, before the first request. */
  async #prepare(): Promise<void> {
    if (this.#start === undefined) return;
    if (this.#start.line > 0) await this.#rejected.keepUpTo(this.#start.line);
    else this.#rejected.clear();
    this.#progressFile?.write(this.#start);
  }

  #reject(index: number, problems: readonly EventProblem[]): void {
    const line = this.#window.get(index);
    if (line === undefined) throw new Error(`line for event ${index} is missing.`);
    const reason =
      line.reason ?? problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
    const truncated = line.text.length === MAX_TEXT ? { truncated: true } : {};
    if (line.lacksId) this.#rejectedWithoutId += 1;
    this.#rejected.add({ line: line.number, reason, text: line.text, ...truncated });
  }

  #progressed(progress: IngestProgress): void {
    this.#counts = progress;
    this.#window.settle(progress.settled);
    if (performance.now() - this.#saved > SAVE_EVERY) this.#save();
    this.#options.onProgress(this.state);
  }

  /** `ingestAll` continues after an error of these functions, but a line must not be lost. */
  #guard(action: () => void): void {
    if (this.#failure !== undefined) return;
    try {
      action();
    } catch (error) {
      this.#failure = { error };
      this.cancel();
    }
  }

  /** Saves the progress after the rejected lines that belong to it. */
  #save(): void {
    this.#saved = performance.now();
    const { checkpoint } = this.#window;
    if (this.#start === undefined || checkpoint === undefined) return;
    this.#rejected.sync();
    const { line, digest } = checkpoint;
    this.#progressFile?.write({ ingestion: this.#start.ingestion, line, digest });
  }

  #close(isComplete: boolean): void {
    this.#source.close();
    if (this.#failure === undefined) this.#save();
    this.#rejected.close();
    if (isComplete) this.#progressFile?.remove();
  }
}
