import { deferred, unref, untilAborted } from "../../values/wait.ts";
import { type Destination, deliver, type Failure, takeFrom } from "../deliver.ts";
import type { UsageClient } from "../event.ts";
import { backoff, SendingGate } from "../gate.ts";
import type { NewOutboxEvent, Outbox, OutboxEvent } from "../outbox.ts";
import { type Appender, EventBufferError } from "./appender.ts";
import type { BufferSettings } from "./options.ts";
import type { Reporter } from "./reporter.ts";

/** The part of a lease after which it is extended. */
const EXTEND_AFTER = 1 / 3;

/** The delay before events are sent again that a user's function has not taken over, in milliseconds. */
const OFFER_DELAY = 1_000;

/** A user's function has not taken events over, because of `cause`. */
class NotTaken extends Error {}

type Timer = ReturnType<typeof setTimeout>;

/** Takes events from the outbox and sends them, in several lanes at a time. */
export class BatchSender {
  /** Decides when requests are sent. */
  readonly gate: SendingGate;
  readonly #settings: BufferSettings;
  readonly #outbox: Outbox;
  readonly #reporter: Reporter;
  readonly #appender: Appender;
  readonly #stop = new AbortController();
  readonly #destination: Destination<OutboxEvent>;
  readonly #flushes: Flushes;
  readonly #lanes = new Set<Promise<void>>();
  /** The events of each delivery. */
  readonly #leased = new Set<readonly OutboxEvent[]>();
  /** Calls that remove events from the outbox and report them. */
  readonly #removing = new Set<Promise<void>>();
  /** The events that this process appended and that are probably not taken yet. */
  #available = 0;
  /** True while batches that are not full are also sent, until no event is left. */
  #isForced = false;
  #appends = 0;
  #outboxFailures = 0;
  readonly #intervals: Timer[] = [];
  #timer: Timer | undefined;

  constructor(client: UsageClient, settings: BufferSettings, reporter: Reporter, appender: Appender) {
    this.#settings = settings;
    this.#outbox = settings.outbox;
    this.#reporter = reporter;
    this.#appender = appender;
    this.gate = new SendingGate(this.#stop.signal, settings);
    this.#destination = this.#destinationOf(client);
    const removed = () => Promise.allSettled(this.#removing);
    this.#flushes = new Flushes(settings.outbox, () => this.sendAll(), removed);
    const { leaseDuration, pollInterval } = settings.outbox;
    if (leaseDuration !== undefined) this.#every(leaseDuration * EXTEND_AFTER, () => this.#extend());
    if (pollInterval !== undefined) this.#every(pollInterval, () => this.#poll());
  }

  /** Notes that events were appended. They are sent when a batch is full, or after the maximum delay. */
  appended(events: readonly NewOutboxEvent[]): void {
    this.#appends += 1;
    this.#available += events.length;
    if (this.#flushes.isActive) this.#isForced = true;
    if (!this.#isForced) this.#sendWithin(this.#settings.maxDelay);
    this.#wake();
  }

  /** Sends every event in the outbox. */
  sendAll(): void {
    this.#isForced = true;
    this.#wake();
  }

  /** Waits until the events that are being added or in the outbox now are stored or rejected by the service. */
  async flush(added: Promise<unknown>, timeout?: number): Promise<void> {
    this.#stop.signal.throwIfAborted();
    this.gate.hurry();
    await this.#flushes.run(added, timeout, () => this.#reporter.lastError);
  }

  /** Stops sending. Events that are not confirmed stay in the outbox. */
  async stop(reason: Error): Promise<void> {
    this.#stop.abort(reason);
    clearTimeout(this.#timer);
    for (const interval of this.#intervals) clearInterval(interval);
    this.#flushes.fail(reason);
    await Promise.allSettled([...this.#lanes, ...this.#removing]);
  }

  /** Calls a function again and again, without keeping the process running. */
  #every(delay: number, call: () => Promise<void>): void {
    const interval = setInterval(() => void call().catch((error: unknown) => this.#reporter.error(error)), delay);
    unref(interval);
    this.#intervals.push(interval);
  }

  /** Sends everything after a number of milliseconds, unless that is planned. This keeps the process running. */
  #sendWithin(delay: number): void {
    if (this.#stop.signal.aborted) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.sendAll();
    }, delay);
  }

  #wake(): void {
    if (this.#stop.signal.aborted || this.#lanes.size >= this.#settings.concurrency || !this.#isDue()) return;
    const lane = this.#runLane().finally(() => {
      this.#lanes.delete(lane);
      this.#wake();
    });
    this.#lanes.add(lane);
  }

  #isDue(): boolean {
    if (this.#isForced || this.#outboxFailures > 0) return this.#isForced;
    return this.#available >= this.#settings.batch.events;
  }

  async #runLane(): Promise<void> {
    while (this.#isDue() && !this.#stop.signal.aborted) {
      const events = await this.#take();
      if (events === undefined) return;
      if (events.length > 0) await this.#deliver(events);
    }
  }

  /** Takes a batch. Returns undefined if the outbox failed. */
  async #take(): Promise<readonly OutboxEvent[] | undefined> {
    const appends = this.#appends;
    try {
      const events = await takeFrom(this.#outbox, this.#settings.batch);
      this.#outboxFailures = 0;
      this.#noteTaken(events, appends);
      return events;
    } catch (error) {
      this.#isForced = false;
      this.#failOutbox(error);
      this.#sendWithin(this.#outboxDelay());
      return undefined;
    }
  }

  #noteTaken(events: readonly OutboxEvent[], appends: number): void {
    if (events.length > 0) {
      this.#available = Math.max(0, this.#available - events.length);
    } else if (appends === this.#appends) {
      this.#available = 0;
      this.#isForced = false;
    }
  }

  async #deliver(events: readonly OutboxEvent[]): Promise<void> {
    this.#leased.add(events);
    this.#wake();
    await deliver(events, this.#destination).catch((error: unknown) => this.#giveBack(events, error));
    this.#leased.delete(events);
    this.#flushes.changed();
  }

  /**
   * Releases what an ended delivery has not confirmed, to send it again; the outbox ignores the rest. If a user's function has
   * failed, the lane waits before, so that the service does not get these events all the time.
   */
  async #giveBack(events: readonly OutboxEvent[], error: unknown): Promise<void> {
    if (error instanceof NotTaken) {
      this.#flushes.fail(error.cause);
      await this.gate.pause(OFFER_DELAY).catch(() => undefined);
    } else if (!this.#stop.signal.aborted) this.#failOutbox(error);
    await this.#outbox.release(events).catch((failure: unknown) => this.#reporter.error(failure));
    this.#sendWithin(this.#outboxDelay());
  }

  #destinationOf(client: UsageClient): Destination<OutboxEvent> {
    return {
      client,
      headers: this.#settings.headers,
      gate: this.gate,
      stored: (items, result) =>
        this.#track(this.#confirm(items).then(() => this.#reporter.sent(items.length, result))),
      rejected: (rejections) => {
        const items = rejections.map(({ item }) => item);
        return this.#track(this.#handOver("rejected", items, this.#reporter.rejected(rejections)));
      },
      unconfirmed: (items, error) =>
        this.#track(this.#handOver("unconfirmed", items, this.#reporter.unconfirmed(items, error))),
      failed: (failure, items) => this.#failed(failure, items.length),
    };
  }

  #track(removing: Promise<void>): Promise<void> {
    this.#removing.add(removing);
    return removing.finally(() => this.#removing.delete(removing));
  }

  /** Removes events when a user's function has taken them over. */
  async #handOver(
    outcome: "rejected" | "unconfirmed",
    events: readonly OutboxEvent[],
    taken: Promise<Error | undefined>,
  ): Promise<void> {
    const failure = await untilAborted(this.#stop.signal, taken);
    if (failure !== undefined) throw new NotTaken("", { cause: failure });
    this.#reporter.counts[outcome] += events.length;
    await this.#confirm(events);
  }

  #failed(failure: Failure, events: number): void {
    this.#reporter.failed(failure, events, this.#appender.queued);
    if (failure.isPermanent) this.#flushes.fail(failure.error);
  }

  /** Confirms events, again and again if the outbox fails: they are stored by the service and must not stay here. */
  async #confirm(events: readonly OutboxEvent[]): Promise<void> {
    for (;;) {
      try {
        await this.#outbox.confirm(events);
        this.#outboxFailures = 0;
        return this.#appender.removed(events.length);
      } catch (error) {
        this.#failOutbox(error);
        await this.gate.pause(this.#outboxDelay());
      }
    }
  }

  #failOutbox(error: unknown): void {
    this.#outboxFailures += 1;
    this.#reporter.error(error);
    this.#flushes.fail(error);
  }

  #outboxDelay(): number {
    return backoff(this.#outboxFailures, this.#settings.delays);
  }

  async #extend(): Promise<void> {
    const events = [...this.#leased].flat();
    if (events.length > 0) await this.#outbox.extend?.(events);
  }

  async #poll(): Promise<void> {
    this.sendAll();
    this.#appender.count((await this.#outbox.state()).events);
  }
}

/** The delay before another look at the outbox, in milliseconds. It doubles up to the poll interval, or the longest. */
const FIRST_LOOK = 10;
const LONGEST_LOOK = 1_000;

/** Tracks calls of `flush`. Each ends when the outbox has none of the events that were in it at its beginning. */
class Flushes {
  readonly #outbox: Outbox;
  readonly #sendAll: () => void;
  readonly #removed: () => Promise<unknown>;
  /** The functions that end a flush with an error. */
  readonly #failing = new Set<(error: unknown) => void>();
  #change = deferred<void>();

  /** @param removed Waits until the events that are being removed now are removed. */
  constructor(outbox: Outbox, sendAll: () => void, removed: () => Promise<unknown>) {
    this.#outbox = outbox;
    this.#sendAll = sendAll;
    this.#removed = removed;
  }

  /** True while a flush is in progress. */
  get isActive(): boolean {
    return this.#failing.size > 0;
  }

  /**
   * Waits until the events that are added now, and those that the outbox has, are removed from it.
   *
   * @param added Resolves when the events that are added now are in the outbox.
   * @param timeout In milliseconds; undefined for none.
   * @param cause Returns the reason why events are left.
   * @throws The error of `fail`, or of the outbox.
   */
  async run(added: Promise<unknown>, timeout: number | undefined, cause: () => unknown): Promise<void> {
    const { promise: failed, reject: fail } = deferred<never>();
    this.#failing.add(fail);
    const timer = timeout === undefined ? undefined : setTimeout(() => fail(late(timeout, cause())), timeout);
    const removed = this.#wait(added, () => this.#failing.has(fail)).then(this.#removed);
    try {
      await Promise.race([failed, removed]);
    } finally {
      clearTimeout(timer);
      this.#failing.delete(fail);
      this.changed();
    }
  }

  /** Looks again whether events are left. */
  changed(): void {
    this.#change.resolve();
    this.#change = deferred();
  }

  /** Ends every flush with an error. */
  fail(error: unknown): void {
    for (const fail of this.#failing) fail(error);
  }

  async #wait(added: Promise<unknown>, isActive: () => boolean): Promise<void> {
    this.#sendAll();
    await added;
    const newest = (await this.#outbox.state()).positions?.[1] ?? Number.POSITIVE_INFINITY;
    const { pollInterval = LONGEST_LOOK } = this.#outbox;
    for (let delay = FIRST_LOOK; isActive(); delay = Math.min(pollInterval, delay * 2)) {
      const { promise: changed } = this.#change;
      const { events, positions } = await this.#outbox.state();
      if (events === 0 || (positions !== undefined && positions[0] > newest)) return;
      this.#sendAll();
      // Other processes also remove events.
      const timer = setTimeout(() => this.changed(), delay);
      await changed;
      clearTimeout(timer);
    }
  }
}

function late(timeout: number, cause: unknown): EventBufferError {
  const problem = `not every event was sent within ${timeout} ms; the events stay queued`;
  return new EventBufferError("timeout", `flush: ${problem}`, { cause });
}
