import { BillingError, isBillingError } from "../../errors/index.ts";
import { backoff, RetryGate } from "../deliver.ts";
import { Fifo, isOutboxError, type Outbox, type OutboxError, type OutboxEvent } from "../outbox/index.ts";
import type { BufferSettings } from "./options.ts";

/** The reasons of an {@link EventBufferError}. */
export type EventBufferErrorReason = "closed" | "full" | "unsent";

/**
 * Means that an event buffer could not accept or send an event.
 *
 * - `closed`: `add` was called after `close`, or `close` ended its wait for room. The event is not stored, unless the outbox
 *   itself was full: then it may be.
 * - `full`: `maxQueued` events are queued or the outbox has no room, and `whenFull` is `reject`; or dropping events did not
 *   make room in the outbox. The event is not stored.
 * - `unsent`: `close` ended before every event was sent, and the outbox is not durable. The events are lost.
 */
export class EventBufferError extends BillingError {
  override readonly name = "EventBufferError";
  readonly reason: EventBufferErrorReason;

  constructor(reason: EventBufferErrorReason, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), reason: this.reason };
  }
}

/** Returns whether a value is an {@link EventBufferError}, from any copy of the package. */
export function isEventBufferError(value: unknown): value is EventBufferError {
  return isBillingError(value) && value.name === "EventBufferError";
}

/** The maximum number of calls of `add` that wait for room. */
const MAX_WAITING = 10_000;
/** The number of events that are dropped at a time. */
const DROPPED_AT_ONCE = 1_000;
/** The number of times that events are dropped for one group: it may not help, for example on a full disk. */
const MAX_DROPS = 10;

interface Waiter {
  readonly event: OutboxEvent;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Events that were added while others were being stored. They are stored together, and share a promise. */
interface Group {
  /** Those that are stored or dropped are removed. */
  readonly events: OutboxEvent[];
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The calls of a queue to its buffer. */
interface QueueEvents {
  /** Is called when events are in the outbox. */
  stored(events: readonly OutboxEvent[]): void;
  /** Is called with events that are removed to make room. */
  dropped(events: readonly OutboxEvent[]): void;
  /** Is called when events wait for room. */
  waiting(): void;
}

/** Stores added events in the outbox, in groups. If there is no room, `whenFull` decides. */
export class EventQueue {
  readonly #settings: BufferSettings;
  readonly #outbox: Outbox;
  readonly #events: QueueEvents;
  readonly #stop = new AbortController();
  readonly #gate = new RetryGate(this.#stop.signal);
  /** The calls of `add` that wait until fewer than `maxQueued` events are queued. */
  readonly #waiting = new Fifo<Waiter>();
  /** The group that the next event joins. */
  #next: Group | undefined;
  /** The group that is being stored. */
  #current: Group | undefined;
  #storing: Promise<void> | undefined;
  /** The promise of the last event that was accepted or waits for room. Events are stored in their order. */
  #last: Promise<void> = Promise.resolve();
  /** The number of events in the outbox, or being appended to it. */
  #stored = 0;
  /** The number of stored events that are being sent. They cannot be dropped. */
  #leased = 0;
  /** The number of times that room was made in the outbox. */
  #removals = 0;
  /** True if the outbox had no events when it was last found full. */
  #wasEmpty = false;
  #isClosed = false;
  /** Resolves when the events of an earlier process are counted. */
  readonly #counted: Promise<void>;

  constructor(settings: BufferSettings, counted: Promise<number>, events: QueueEvents) {
    this.#settings = settings;
    this.#outbox = settings.outbox;
    this.#events = events;
    this.#counted = counted.then((found) => {
      this.#stored += found;
    });
  }

  /** The number of events that are accepted and not removed. */
  get queued(): number {
    return this.#stored + (this.#next?.events.length ?? 0);
  }

  /**
   * Adds an event.
   *
   * @returns A promise that resolves when the event is in the outbox. Events of the same group share it.
   * @throws {@link EventBufferError} if the buffer is closed or full.
   */
  add(event: OutboxEvent): Promise<void> {
    const { maxQueued, whenFull } = this.#settings;
    if (this.#isClosed) throw closed();
    const hasRoom = this.queued < maxQueued && this.#waiting.size === 0;
    if (hasRoom || whenFull === "drop-oldest") {
      this.#last = this.#accept(event);
      return this.#last;
    }
    if (whenFull === "reject") throw full(`${maxQueued} events are queued. Raise maxQueued, or set whenFull to "wait"`);
    if (this.#waiting.size === MAX_WAITING)
      throw full(`${MAX_WAITING} calls are waiting for room; await each call to add`);
    this.#last = new Promise((resolve, reject) => this.#waiting.push({ event, resolve, reject }));
    this.#events.waiting();
    return this.#last;
  }

  /** Notes how many events the outbox has. */
  count(stored: number): void {
    this.#stored = stored;
    this.#removals += 1;
    this.#gate.hurry();
    while (this.#waiting.size > 0 && this.queued < this.#settings.maxQueued) {
      const { event, resolve, reject } = this.#waiting.shift() as Waiter;
      this.#accept(event).then(resolve, reject);
    }
  }

  /** Notes that events are being sent, or no longer. */
  leased(change: number): void {
    this.#leased += change;
  }

  /** Notes that events were removed from the outbox. */
  removed(events: number): void {
    this.count(Math.max(0, this.#stored - events));
  }

  /** Waits until the events that are added so far are in the outbox, or are rejected. */
  async added(): Promise<void> {
    await this.#counted;
    await this.#last.catch(() => undefined);
  }

  /** Rejects later events. Those that wait for room still get it. */
  close(): void {
    this.#isClosed = true;
  }

  /** Rejects the events that wait for room. Resolves when the others are stored or rejected. */
  async stop(): Promise<void> {
    this.#stop.abort();
    for (let waiter = this.#waiting.shift(); waiter !== undefined; waiter = this.#waiting.shift()) {
      waiter.reject(closed());
    }
    while (this.#storing !== undefined || this.#next !== undefined) await this.#store();
  }

  /** Rejects the events that are still being stored, because the outbox does not respond. */
  abandon(): void {
    for (const group of [this.#current, this.#next]) group?.reject(closedWhile("the outbox did not respond"));
    this.#stored = Math.max(0, this.#stored - (this.#current?.events.length ?? 0));
    this.#next = undefined;
  }

  #accept(event: OutboxEvent): Promise<void> {
    if (this.#next === undefined) {
      this.#next = newGroup();
      queueMicrotask(() => void this.#store());
    }
    const { events, promise } = this.#next;
    events.push(event);
    const { maxQueued } = this.#settings;
    // They were added faster than they can be stored.
    if (events.length >= maxQueued * 2) this.#events.dropped(events.splice(0, maxQueued));
    return promise;
  }

  #store(): Promise<void> {
    this.#storing ??= this.#storeGroups().finally(() => {
      this.#storing = undefined;
    });
    return this.#storing;
  }

  async #storeGroups(): Promise<void> {
    await this.#counted;
    while (this.#next !== undefined) {
      const group = this.#next;
      this.#current = group;
      this.#next = undefined;
      await this.#append(group.events).then(group.resolve, group.reject);
      this.#current = undefined;
    }
  }

  async #append(events: OutboxEvent[]): Promise<void> {
    this.#stored += events.length;
    try {
      if (this.#settings.whenFull === "drop-oldest") await this.#makeRoom(events);
      await this.#appendAll(events);
    } catch (error) {
      this.removed(events.length);
      throw error;
    }
  }

  /** Drops the oldest events: first of the outbox, then of those that are about to be appended. */
  async #makeRoom(events: OutboxEvent[]): Promise<void> {
    const excess = (): number => this.#stored - this.#leased - this.#settings.maxQueued;
    for (let over = excess(); over > 0; over = excess()) {
      const dropped = await this.#dropOldest(Math.min(over, DROPPED_AT_ONCE));
      if (dropped === 0) return this.#drop(events.splice(0, over));
    }
  }

  /** Appends events: all at once, and if the outbox has no room for them, as `whenFull` says. */
  async #appendAll(events: OutboxEvent[]): Promise<void> {
    let [size, attempts, drops] = [events.length, 0, 0];
    while (events.length > 0) {
      const removals = this.#removals;
      const part = events.slice(0, size);
      const outboxFull = await this.#try(part);
      if (outboxFull === undefined) {
        events.splice(0, part.length);
        [size, attempts] = [size * 2, 0];
      } else if (this.#settings.whenFull === "wait") {
        if (part.length > 1) size = Math.ceil(part.length / 2);
        else if (removals === this.#removals) await this.#waitForRoom(outboxFull, ++attempts);
      } else {
        if (this.#settings.whenFull === "reject" || drops++ === MAX_DROPS) throw noRoom(outboxFull);
        const dropped = await this.#dropOldest(events.length);
        if (dropped === 0) this.#drop(events.splice(0, Math.ceil(events.length / 2)));
      }
    }
  }

  /** Returns an error only if the outbox is full. */
  async #try(events: readonly OutboxEvent[]): Promise<OutboxError | undefined> {
    try {
      await this.#outbox.append(events);
    } catch (error) {
      if (isOutboxError(error) && error.reason === "full") return error;
      throw error;
    }
    this.#wasEmpty = false;
    this.#events.stored(events);
    if (this.#waiting.size > 0) this.#events.waiting();
    return undefined;
  }

  async #waitForRoom(outboxFull: OutboxError, attempt: number): Promise<void> {
    const isEmpty = (await this.#outbox.state()).events === 0;
    if (isEmpty && this.#wasEmpty) throw outboxFull;
    this.#wasEmpty = isEmpty;
    this.#events.waiting();
    await this.#gate.pass(backoff(attempt, this.#settings.delays)).catch(() => {
      throw closedWhile("the outbox was full", outboxFull);
    });
  }

  /** Removes the oldest events of the outbox that are not being sent. Returns their number. */
  async #dropOldest(count: number): Promise<number> {
    const oldest = await this.#outbox.take({ events: count, bytes: Number.MAX_SAFE_INTEGER });
    if (oldest.length === 0) return 0;
    try {
      await this.#outbox.confirm(oldest);
    } catch (error) {
      await this.#outbox.release(oldest);
      throw error;
    }
    this.#drop(oldest);
    return oldest.length;
  }

  #drop(events: readonly OutboxEvent[]): void {
    this.#events.dropped(events);
    this.removed(events.length);
  }
}

function newGroup(): Group {
  let resolve: Group["resolve"] = () => {};
  let reject: Group["reject"] = () => {};
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { events: [], promise, resolve, reject };
}

function closed(): EventBufferError {
  return new EventBufferError("closed", "add: the buffer is closed; the event is not stored");
}

function closedWhile(state: string, cause?: OutboxError): EventBufferError {
  const problem = `add: the buffer was closed while ${state}; the event may not be stored`;
  return new EventBufferError("closed", problem, { cause });
}

function full(reason: string): EventBufferError {
  return new EventBufferError("full", `add: the buffer is full: ${reason}`);
}

function noRoom(cause: OutboxError): EventBufferError {
  return new EventBufferError("full", `add: the outbox is full: ${cause.message}`, { cause });
}
