import { describeType } from "../errors/describe-value.ts";
import { InvalidInputError } from "../errors/index.ts";
import { callSafely } from "./buffer/reporter.ts";
import { type Destination, deliver, type Failure, type Refusal, RetryGate, type Stored } from "./deliver.ts";
import { checkClient, type EventProblem, type UsageClient, type UsageEvent } from "./event.ts";
import { EventReader, type IndexedEvent, type InvalidEvent, type ReadBatch } from "./event-reader.ts";
import {
  type IngestAllOptions,
  type IngestProgress,
  type IngestReport,
  type IngestSettings,
  type RejectedAt,
  readIngestSettings,
} from "./ingest-options.ts";

/**
 * Sends every event of an iterable, for example the rows of a file, in batches. Reads ahead at most one batch per request,
 * so that the source may be of any length. Rejected events are in the report; they do not end the run.
 *
 * Failed requests are retried. If the run fails, it can be repeated as a whole when the events have an `external_id`: those
 * that were stored count as duplicates. An event without one gets a random one, and a second run stores it again;
 * `withoutExternalId` of the report counts these events.
 *
 * @param client A client of any version. Its retries are replaced by those of this function.
 * @example
 * ```ts
 * const report = await ingestAll(billing, readEvents(), { onProgress: ({ settled }) => console.log(settled) });
 * ```
 * @throws `InvalidInputError` when an argument or an option is invalid.
 * @throws `AbortedError` or `TimeoutError` when `signal` aborts.
 * @throws The error that prevents sending until somebody changes something, for example an `ApiError` with status
 * 401; the last error after `retryFor`; and an error of the source.
 */
export async function ingestAll<Event extends UsageEvent>(
  client: UsageClient<Event>,
  events: Iterable<Event> | AsyncIterable<Event>,
  options: IngestAllOptions<Event> = {},
): Promise<IngestReport<Event>> {
  checkClient(client, "ingestAll");
  const settings = readIngestSettings(options as IngestAllOptions);
  const run = new IngestRun(client as UsageClient, checkSource(events), settings);
  return (await run.run()) as IngestReport<Event>;
}

function checkSource<Source>(source: Source): Source {
  const isObject = typeof source === "object" && source !== null;
  if (isObject && (Symbol.iterator in source || Symbol.asyncIterator in source)) return source;
  const problem = `must be an iterable or async iterable of events; received ${describeType(source)}`;
  throw new InvalidInputError("events", problem, { caller: "ingestAll" });
}

/** The maximum number of rejected events in a report. */
const MAX_REJECTIONS = 10_000;

/** One run of `ingestAll`. */
class IngestRun {
  readonly #settings: IngestSettings;
  readonly #reader: EventReader;
  readonly #watermark = new Watermark();
  readonly #stop = new AbortController();
  readonly #destination: Destination<IndexedEvent>;
  readonly #counts = { inserted: 0, duplicates: 0, unconfirmed: 0, rejected: 0, retries: 0, withoutExternalId: 0 };
  readonly #rejections: RejectedAt[] = [];
  /** The time of the first failure since the last success. */
  #failingSince: number | undefined;
  /** The error of the lane that failed first. The others end because of it. */
  #failure: { readonly error: unknown } | undefined;

  constructor(client: UsageClient, source: AsyncIterable<unknown> | Iterable<unknown>, settings: IngestSettings) {
    this.#settings = settings;
    this.#reader = new EventReader(source, settings.batch);
    this.#destination = {
      client,
      gate: new RetryGate(this.#stop.signal),
      delays: settings.delays,
      stored: async (items, result) => this.#stored(items, result),
      refused: async (refusals) => this.#refused(refusals),
      failed: (failure, items) => this.#failed(failure, items.length),
    };
  }

  /** Sends every event. Rejects with the first error, after all requests have ended. */
  async run(): Promise<IngestReport> {
    const { signal, concurrency } = this.#settings;
    const onAbort = (): void => this.#stop.abort(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    await Promise.all(Array.from({ length: concurrency }, () => this.#runLane()));
    signal?.removeEventListener("abort", onAbort);
    if (this.#failure !== undefined) throw this.#failure.error;
    return { ...this.#progress(), rejections: this.#rejections.sort((a, b) => a.index - b.index) };
  }

  async #runLane(): Promise<void> {
    try {
      for (let batch = await this.#next(); batch !== undefined; batch = await this.#next()) await this.#ingest(batch);
    } catch (error) {
      this.#failure ??= { error };
      this.#stop.abort(error);
      this.#reader.stop();
    }
  }

  /** Reads a batch. Rejects when the run is stopped, even if the source does not answer. */
  async #next(): Promise<ReadBatch | undefined> {
    await this.#destination.gate.pass();
    return this.#destination.gate.race(this.#reader.next());
  }

  async #ingest(batch: ReadBatch): Promise<void> {
    for (const invalid of batch.invalid) this.#invalid(invalid);
    if (batch.events.length > 0) await deliver(batch.events, this.#destination);
    const indexes = [...batch.events, ...batch.invalid].map(({ index }) => index);
    const first = indexes.reduce((least, index) => Math.min(least, index));
    this.#watermark.settle(first, first + indexes.length);
    this.#call("onProgress", this.#progress());
  }

  #progress(): IngestProgress {
    return { read: this.#reader.read, ...this.#counts, settled: this.#watermark.settled };
  }

  #stored(items: readonly IndexedEvent[], { inserted, duplicates, mismatch }: Stored): void {
    this.#failingSince = undefined;
    this.#counts.inserted += inserted;
    this.#counts.duplicates += duplicates;
    if (mismatch !== undefined) {
      this.#counts.unconfirmed += items.length;
      this.#settings.log.warn?.(mismatch.message, {});
    }
    this.#counts.withoutExternalId += items.filter(({ isIdAssigned }) => isIdAssigned).length;
  }

  #refused(refusals: readonly Refusal<IndexedEvent>[]): void {
    this.#failingSince = undefined;
    for (const { item, problems } of refusals) {
      this.#reject({ index: item.index, event: JSON.parse(item.json) as UsageEvent, problems });
    }
  }

  #invalid({ index, value, message }: InvalidEvent): void {
    const problem: EventProblem = { path: "", message, type: "invalid" };
    this.#reject({ index, event: value as UsageEvent, problems: [problem] });
  }

  #reject(rejected: RejectedAt): void {
    this.#counts.rejected += 1;
    if (this.#rejections.length < MAX_REJECTIONS) this.#rejections.push(rejected);
    this.#call("onRejected", rejected);
  }

  #failed({ error, attempt, delay, isPermanent }: Failure, events: number): void {
    this.#failingSince ??= performance.now();
    const isLate = performance.now() - this.#failingSince + delay > this.#settings.retryFor;
    if (isPermanent || isLate) throw error;
    this.#counts.retries += 1;
    this.#call("onRetry", { error, events, attempt, delay });
  }

  #call<Name extends "onRetry" | "onProgress" | "onRejected">(
    name: Name,
    argument: Parameters<NonNullable<IngestSettings[Name]>>[0],
  ): void {
    callSafely(this.#settings.log, name, this.#settings[name] as ((value: unknown) => unknown) | undefined, argument);
  }
}

/** Finds the number of events at the beginning of a source that are all settled, while batches settle in any order. */
class Watermark {
  readonly #ranges = new Map<number, number>();
  #settled = 0;

  /** The number of events before the first one that is not settled. */
  get settled(): number {
    return this.#settled;
  }

  /** Notes that the events from one position to before another are settled. */
  settle(from: number, to: number): void {
    this.#ranges.set(from, to);
    for (let end = this.#ranges.get(this.#settled); end !== undefined; end = this.#ranges.get(this.#settled)) {
      this.#ranges.delete(this.#settled);
      this.#settled = end;
    }
  }
}
