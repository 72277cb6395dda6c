import { type Destination, deliver, type Failure, type Refusal, RetryGate, type Stored } from "../delivery/index.ts";
import type { EventProblem, UsageClient, UsageEvent } from "../event/index.ts";
import { callSafely } from "../options/call-safely.ts";
import { EventReader, type IndexedEvent, type InvalidEvent, type ReadBatch } from "./event-reader.ts";
import type { IngestProgress, IngestReport, RejectedAt } from "./options.ts";
import type { IngestSettings } from "./settings.ts";
import { Watermark } from "./watermark.ts";

/** The maximum number of rejected events in a report. */
const MAX_REJECTIONS = 10_000;

/** One run of `ingestAll`. */
export class IngestRun {
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
