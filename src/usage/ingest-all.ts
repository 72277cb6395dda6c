import { addNote } from "../errors/billing-error.ts";
import { Checks } from "../errors/checks.ts";
import { isBillingError, isInvalidInputError } from "../errors/index.ts";
import { callSafely } from "./buffer/reporter.ts";
import { type Destination, deliver, type Failure, parseStored, type Rejection, type Stored } from "./deliver.ts";
import { checkClient, type SerializedEvent, serializeEvent, type UsageClient, type UsageEvent } from "./event.ts";
import { SendingGate } from "./gate.ts";
import {
  type IngestAllOptions,
  type IngestProgress,
  type IngestReport,
  type IngestSettings,
  type RejectedAt,
  readIngestSettings,
} from "./ingest-options.ts";
import type { TakeLimit } from "./outbox.ts";

/**
 * Sends every event of an iterable, for example the rows of a file, in batches. It reads at most one batch ahead per request,
 * so the source can have any length. Rejected events are listed in the report and do not end the run.
 *
 * Failed requests are retried. If the run fails, you can run it again with all events if they have an `external_id`: the
 * service counts the stored ones as duplicates. An event without one receives a random `external_id`, so a second
 * run stores it again; `withoutExternalId` in the report counts these events.
 *
 * @param client A client of any version. This function retries instead of the client.
 * @example
 * ```ts
 * const report = await ingestAll(billing, readEvents(), {
 *   onProgress: ({ settled }) => console.log(settled),
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
  const settings = readIngestSettings(check, options as IngestAllOptions);
  const isObject = typeof events === "object" && events !== null;
  const isIterable = isObject && (Symbol.iterator in events || Symbol.asyncIterator in events);
  check.must(isIterable, "events", "be an iterable or async iterable of events", events);
  return (await new IngestRun(client as UsageClient, events, settings).run()) as IngestReport<Event>;
}

/** The maximum number of rejected events in a report. */
const MAX_REJECTIONS = 10_000;

/** One run of `ingestAll`. */
class IngestRun {
  readonly #settings: IngestSettings;
  readonly #reading: Reading = { read: 0 };
  readonly #batches: AsyncGenerator<Batch, undefined>;
  readonly #stop = new AbortController();
  readonly #destination: Destination<IndexedEvent>;
  readonly #counts = { inserted: 0, duplicates: 0, unconfirmed: 0, rejected: 0, retries: 0, withoutExternalId: 0 };
  readonly #rejections: RejectedAt[] = [];
  /** The number of events at the beginning of the source that are all settled. */
  #settled = 0;
  /** The ends of the settled batches after them, by their beginnings: batches settle in any order. */
  readonly #ends = new Map<number, number>();
  /** Whether a response that has another form was logged. */
  #hasWarned = false;
  /** The time of the first failure since the last success. */
  #failingSince: number | undefined;
  /** The time of the last pause without a request. */
  #pausedAt = performance.now();
  /** The error of the lane that failed first. The others end because of it. */
  #failure: { readonly error: unknown } | undefined;

  constructor(client: UsageClient, source: AsyncIterable<unknown> | Iterable<unknown>, settings: IngestSettings) {
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
    if (this.#failure !== undefined) callSafely(this.#settings.log, this.#settings, "onProgress", this.#progress());
    if (this.#failure !== undefined) throw this.#failure.error;
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

  async #ingest({ events, invalid, from, to }: Batch): Promise<void> {
    for (const rejected of invalid) this.#reject(rejected);
    if (events.length > 0) await deliver(events, this.#destination);
    else if (performance.now() - this.#pausedAt > 10) {
      // Lets other work continue: a source may have any number of invalid events.
      await this.#destination.gate.pause(1);
      this.#pausedAt = performance.now();
    }
    this.#ends.set(from, to);
    for (let end = this.#ends.get(this.#settled); end !== undefined; end = this.#ends.get(this.#settled)) {
      this.#ends.delete(this.#settled);
      this.#settled = end;
    }
    callSafely(this.#settings.log, this.#settings, "onProgress", this.#progress());
  }

  #progress(): IngestProgress {
    return { ...this.#reading, ...this.#counts, settled: this.#settled };
  }

  #stored(items: readonly IndexedEvent[], { inserted, duplicates, problem }: Stored): void {
    this.#accepted(items);
    this.#counts.inserted += inserted;
    this.#counts.duplicates += duplicates;
    if (problem === undefined || this.#hasWarned) return;
    this.#hasWarned = true;
    this.#settings.log.warn?.(problem.message, { events: items.length, error: problem.name });
  }

  #unconfirmed(items: readonly IndexedEvent[], error: Error): void {
    this.#accepted(items);
    this.#counts.unconfirmed += items.length;
    this.#settings.log.warn?.(`${error.message}, also when they were sent again`, { events: items.length });
    callSafely(this.#settings.log, this.#settings, "onUnconfirmed", items.map(parseStored));
  }

  #accepted(items: readonly IndexedEvent[]): void {
    this.#failingSince = undefined;
    this.#counts.withoutExternalId += items.filter(({ isIdAssigned }) => isIdAssigned).length;
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
    callSafely(this.#settings.log, this.#settings, "onRejected", rejected);
  }

  #failed({ error, attempt, delay, isPermanent }: Failure, events: number): void {
    this.#failingSince ??= performance.now();
    const { retryFor } = this.#settings;
    const isLate = performance.now() - this.#failingSince + delay > retryFor;
    const gaveUp = `gave up: the next attempt would be more than ${retryFor} ms after the first failure`;
    const progress = `${this.#settled} of ${this.#reading.read} events read are settled`;
    if (isLate && isBillingError(error)) addNote(error, `${gaveUp}; ${progress}`);
    if (isPermanent || isLate) throw error;
    this.#counts.retries += 1;
    callSafely(this.#settings.log, this.#settings, "onRetry", { error, events, attempt, delay });
  }
}

/** An event of the source, with its position. */
interface IndexedEvent extends SerializedEvent {
  readonly index: number;
}

/** The events of the source from one position to before another: those to send, and those that cannot be sent. */
interface Batch {
  readonly from: number;
  to: number;
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
  let batch = emptyBatch(0);
  let bytes = 0;
  for await (const value of source) {
    const event = readEvent(value, reading.read++);
    if ("bytes" in event && batch.events.length > 0 && bytes + event.bytes > limit.bytes) {
      yield batch;
      [batch, bytes] = [emptyBatch(event.index), 0];
    }
    if ("bytes" in event) bytes += batch.events.push(event) && event.bytes;
    else batch.invalid.push(event);
    batch.to = event.index + 1;
    if (batch.to - batch.from < limit.events) continue;
    yield batch;
    [batch, bytes] = [emptyBatch(batch.to), 0];
  }
  if (batch.to > batch.from) yield batch;
  return undefined;
}

function emptyBatch(from: number): Batch {
  return { from, to: from, events: [], invalid: [] };
}

const INGEST_ALL = new Checks({ caller: "ingestAll" });

function readEvent(value: unknown, index: number): IndexedEvent | RejectedAt {
  try {
    return { ...serializeEvent(INGEST_ALL, value), index };
  } catch (error) {
    if (!isInvalidInputError(error)) throw error;
    const message = error.message.slice(`ingestAll: ${error.path} `.length);
    const path = error.path.replace(/^event\.?/, "");
    return { index, event: value as UsageEvent, problems: [{ path, message, type: "invalid" }] };
  }
}
