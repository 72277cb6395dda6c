import { addNote } from "../errors/billing-error.ts";
import { Checks } from "../errors/checks.ts";
import { isBillingError, isInvalidInputError } from "../errors/index.ts";
import { nextTurn } from "../values/wait.ts";
import { type BatchRetry, readCallbacks, readSending, SENDING_OPTIONS, type SendingOptions } from "./buffer/options.ts";
import { callSafely } from "./buffer/reporter.ts";
import { type Destination, deliver, type Failure, parseStored, type Rejection, type Stored } from "./deliver.ts";
import { checkClient, type RejectedEvent, serializeEvent, type UsageClient, type UsageEvent } from "./event.ts";
import { SendingGate } from "./gate.ts";
import type { NewOutboxEvent, TakeLimit } from "./outbox.ts";

/** An event that was not stored, with its position. */
export interface RejectedAt<Event extends UsageEvent = UsageEvent> extends RejectedEvent<Event> {
  /** The position of the event in the source, from 0. */
  readonly index: number;
}

/** The progress of an `ingestAll` run. */
export interface IngestProgress {
  /** Events read from the source. */
  readonly read: number;
  /** Events that the service has stored in this run. */
  readonly inserted: number;
  /** Events that the service had stored before. */
  readonly duplicates: number;
  /**
   * Events that the service may not have stored: the counts in its response did not add up, also when they were sent once more.
   * They are not included in `inserted` and `duplicates`. A warning is logged for each such request.
   */
  readonly unconfirmed: number;
  /** Events that are invalid, or that the service rejected. */
  readonly rejected: number;
  /** Failed requests that were retried. */
  readonly retries: number;
}

/** The result of `ingestAll`. */
export interface IngestReport<Event extends UsageEvent = UsageEvent> extends IngestProgress {
  /** The rejected events by position, at most 10,000. `onRejected` receives all of them. */
  readonly rejections: readonly RejectedAt<Event>[];
}

/**
 * Options for `ingestAll`. All are optional. If one of the functions throws, the error is logged as a warning, and the run
 * continues.
 */
export interface IngestAllOptions<Event extends UsageEvent = UsageEvent> extends SendingOptions {
  /** Cancels the run. Requests in progress are aborted. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Maximum time for which requests may fail, in milliseconds, from the first failure after a success. If the next attempt
   * would be later, the run fails with the last error. Defaults to 600,000 (10 minutes).
   */
  readonly retryFor?: number | undefined;
  /** Called after each batch, and before a failed run rejects. */
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
  /** Called with each rejected event. */
  readonly onRejected?: ((rejected: RejectedAt<Event>) => void) | undefined;
  /** Called with events that the service may not have stored; see `unconfirmed`. */
  readonly onUnconfirmed?: ((events: readonly Event[]) => void) | undefined;
  /** Called before a failed request is retried. */
  readonly onRetry?: ((retry: BatchRetry) => void) | undefined;
}

const CALLBACKS = ["onProgress", "onRejected", "onUnconfirmed", "onRetry"] satisfies (keyof IngestAllOptions)[];

const NAMES = [
  ...SENDING_OPTIONS,
  "signal",
  "retryFor",
  ...CALLBACKS,
] as const satisfies readonly (keyof IngestAllOptions)[];

/**
 * Sends every event of an iterable, for example the rows of a file, in batches. It reads at most one batch ahead per request,
 * so the source can have any length. Rejected events are listed in the report and do not end the run.
 *
 * Failed requests are retried. If the run fails, you can run it again with all events if they have an `external_id`: the
 * service counts the stored ones as duplicates. An event without one receives a random `external_id`, so a second
 * run stores it again.
 *
 * @param client A client of any version. This function retries instead of the client.
 * @example
 * ```ts
 * const report = await ingestAll(billing, readEvents(), {
 *   onProgress: ({ inserted }) => console.log(inserted),
 * });
 * ```
 * @throws `InvalidInputError` when an argument or an option is invalid.
 * @throws `AbortedError` or `TimeoutError` when `signal` aborts.
 * @throws The error that prevents sending until you fix its cause, for example an `ApiError` with status 401; after
 * `retryFor`, the last error; or an error thrown by the source.
 */
export async function ingestAll<Event extends UsageEvent>(
  client: UsageClient<Event>,
  events: Iterable<Event> | AsyncIterable<Event>,
  options: IngestAllOptions<Event> = {},
): Promise<IngestReport<Event>> {
  const check = new Checks({ caller: "ingestAll" });
  checkClient(check, client);
  const settings = readSettings(check, options as IngestAllOptions);
  const isObject = typeof events === "object" && events !== null;
  const isIterable = isObject && (Symbol.iterator in events || Symbol.asyncIterator in events);
  check.must(isIterable, "events", "be an iterable or async iterable of events", events);
  return (await new IngestRun(client as UsageClient, events, settings).run()) as IngestReport<Event>;
}

function readSettings(check: Checks, given: IngestAllOptions) {
  const options = check.fields("options", given, NAMES);
  return {
    ...readSending(check, options),
    signal: check.signal(options.signal),
    retryFor: check.integer("retryFor", options.retryFor ?? 600_000, 0),
    callbacks: readCallbacks(check, given, CALLBACKS),
  };
}

/** The maximum number of rejected events in a report. */
const MAX_REJECTIONS = 10_000;

/** One run of `ingestAll`. */
class IngestRun {
  readonly #settings: ReturnType<typeof readSettings>;
  readonly #reading: Reading = { read: 0 };
  readonly #batches: AsyncGenerator<Batch, undefined>;
  readonly #stop = new AbortController();
  readonly #destination: Destination<IndexedEvent>;
  readonly #counts = { inserted: 0, duplicates: 0, unconfirmed: 0, rejected: 0, retries: 0 };
  readonly #rejections: RejectedAt[] = [];
  /** Whether a response that has another form was logged. */
  #hasWarned = false;
  /** The time of the first failure since the last success. */
  #failingSince: number | undefined;
  /** The error of the lane that failed first. The others end because of it. */
  #failure: { readonly error: unknown } | undefined;

  constructor(
    client: UsageClient,
    source: AsyncIterable<unknown> | Iterable<unknown>,
    settings: ReturnType<typeof readSettings>,
  ) {
    this.#settings = settings;
    this.#batches = batchesOf(source, settings.batch, this.#reading);
    this.#destination = {
      client,
      headers: settings.headers,
      gate: new SendingGate(this.#stop.signal, settings),
      stored: async (items, result) => this.#stored(items, result),
      rejected: async (rejections) => this.#rejected(rejections),
      unconfirmed: async (items, error) => this.#unconfirmed(items, error),
      failed: (failure, items) => this.#failed(failure, items.length),
    };
  }

  /** Sends every event. Rejects with the first error, after all requests have ended. */
  async run(): Promise<IngestReport> {
    const { signal, concurrency } = this.#settings;
    // Unlike `AbortSignal.any`, this accepts the signals of a polyfill, as the client does.
    const onAbort = (): void => this.#stop.abort(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    await Promise.all(Array.from({ length: concurrency }, () => this.#runLane()));
    signal?.removeEventListener("abort", onAbort);
    if (this.#failure !== undefined) {
      void callSafely(this.#settings.log, "onProgress", () => this.#settings.callbacks.onProgress?.(this.#progress()));
      throw this.#failure.error;
    }
    return { ...this.#progress(), rejections: this.#rejections.sort((a, b) => a.index - b.index) };
  }

  async #runLane(): Promise<void> {
    try {
      for (let { value } = await this.#next(); value !== undefined; { value } = await this.#next())
        await this.#ingest(value);
    } catch (error) {
      this.#failure ??= { error };
      this.#stop.abort(error);
      // Tells the source, without waiting for it.
      void this.#batches.return(undefined).catch(() => undefined);
    }
  }

  /** Reads a batch. Rejects when the run is stopped, even if the source does not answer. */
  async #next(): Promise<IteratorResult<Batch, undefined>> {
    this.#destination.gate.throwIfAborted();
    return this.#destination.gate.race(this.#batches.next());
  }

  async #ingest({ events, invalid }: Batch): Promise<void> {
    for (const rejected of invalid) this.#reject(rejected);
    if (events.length > 0) await deliver(events, this.#destination);
    else await nextTurn(); // A source may have any number of invalid events.
    void callSafely(this.#settings.log, "onProgress", () => this.#settings.callbacks.onProgress?.(this.#progress()));
  }

  #progress(): IngestProgress {
    return { ...this.#reading, ...this.#counts };
  }

  #stored(items: readonly IndexedEvent[], { inserted, duplicates, problem }: Stored): void {
    this.#failingSince = undefined;
    this.#counts.inserted += inserted;
    this.#counts.duplicates += duplicates;
    if (problem === undefined || this.#hasWarned) return;
    this.#hasWarned = true;
    this.#settings.log.warn?.(problem.message, { events: items.length, error: problem.name });
  }

  #unconfirmed(items: readonly IndexedEvent[], error: Error): void {
    this.#failingSince = undefined;
    this.#counts.unconfirmed += items.length;
    this.#settings.log.warn?.(`${error.message}, also when they were sent again`, { events: items.length });
    void callSafely(this.#settings.log, "onUnconfirmed", () =>
      this.#settings.callbacks.onUnconfirmed?.(items.map(parseStored)),
    );
  }

  #rejected(rejections: readonly Rejection<IndexedEvent>[]): void {
    this.#failingSince = undefined;
    for (const { item, problems } of rejections) {
      this.#reject({ index: item.index, event: JSON.parse(item.json) as UsageEvent, problems });
    }
  }

  #reject(rejected: RejectedAt): void {
    this.#counts.rejected += 1;
    if (this.#rejections.length < MAX_REJECTIONS) this.#rejections.push(rejected);
    void callSafely(this.#settings.log, "onRejected", () => this.#settings.callbacks.onRejected?.(rejected));
  }

  #failed({ error, attempt, delay, isPermanent }: Failure, events: number): void {
    this.#failingSince ??= performance.now();
    const { retryFor } = this.#settings;
    const isLate = performance.now() - this.#failingSince + delay > retryFor;
    const gaveUp = `gave up: the next attempt would be more than ${retryFor} ms after the first failure`;
    if (isLate && isBillingError(error)) addNote(error, gaveUp);
    if (isPermanent || isLate) throw error;
    this.#counts.retries += 1;
    void callSafely(this.#settings.log, "onRetry", () =>
      this.#settings.callbacks.onRetry?.({ error, events, attempt, delay }),
    );
  }
}

/** An event of the source, with its position. */
interface IndexedEvent extends NewOutboxEvent {
  readonly index: number;
}

/** Events of the source: those to send, and those that cannot be sent. */
interface Batch {
  readonly events: IndexedEvent[];
  readonly invalid: RejectedAt[];
}

/** The number of events that were read from a source. */
interface Reading {
  read: number;
}

/** Reads a source in batches, only when asked to. */
async function* batchesOf(
  source: AsyncIterable<unknown> | Iterable<unknown>,
  limit: TakeLimit,
  reading: Reading,
): AsyncGenerator<Batch, undefined> {
  let [batch, bytes] = [emptyBatch(), 0];
  for await (const value of source) {
    const event = readEvent(value, reading.read++);
    if ("bytes" in event && batch.events.length > 0 && bytes + event.bytes > limit.bytes) {
      yield batch;
      [batch, bytes] = [emptyBatch(), 0];
    }
    if ("bytes" in event) bytes += batch.events.push(event) && event.bytes;
    else batch.invalid.push(event);
    if (batch.events.length + batch.invalid.length < limit.events) continue;
    yield batch;
    [batch, bytes] = [emptyBatch(), 0];
  }
  if (batch.events.length + batch.invalid.length > 0) yield batch;
  return undefined;
}

function emptyBatch(): Batch {
  return { events: [], invalid: [] };
}

const INGEST_ALL = new Checks({ caller: "ingestAll" });

function readEvent(value: unknown, index: number): IndexedEvent | RejectedAt {
  try {
    return { ...serializeEvent(INGEST_ALL, value), index };
  } catch (error) {
    if (!isInvalidInputError(error)) throw error;
    const path = error.path.replace(/^event\.?/, "");
    return { index, event: value as UsageEvent, problems: [{ path, message: error.problem, type: "invalid" }] };
  }
}
