import { Fifo, type OutboxEvent } from "../outbox/index.ts";
import { Appender } from "./appender.ts";
import { EventBufferError } from "./event-buffer-error.ts";
import type { BufferSettings } from "./settings.ts";

/** The maximum number of calls of `add` that wait for room. */
const MAX_WAITING = 10_000;
/** The number of events that are dropped at a time. */
const DROPPED_AT_ONCE = 1_000;

interface Waiter {
  readonly event: OutboxEvent;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The events that were added in the same turn of the event loop. They are stored together. */
interface Group {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The calls of an intake to its buffer. */
export interface IntakeEvents {
  /** Is called when events are in the outbox. */
  stored(events: readonly OutboxEvent[]): void;
  /** Is called with events that are removed to make room. */
  dropped(events: readonly OutboxEvent[]): void;
  /** Is called when events wait for room in the outbox. */
  waiting(): void;
}

/** Appends events to the outbox, in groups, and limits their number. */
export class Intake {
  readonly #settings: BufferSettings;
  readonly #appender: Appender;
  readonly #events: IntakeEvents;
  readonly #waiting = new Fifo<Waiter>();
  #pending: OutboxEvent[] = [];
  #group: Group | undefined;
  #storing: Promise<void> | undefined;
  /** The promise of the last event that was accepted or waits for room. Events are stored in their order. */
  #last: Promise<void> = Promise.resolve();
  /** The number of events in the outbox, or being appended to it. */
  #stored = 0;
  /** The number of stored events that are being sent. They cannot be dropped. */
  #leased = 0;
  #isClosed = false;
  /** Resolves when the events of an earlier process are counted. */
  readonly #counted: Promise<void>;

  constructor(settings: BufferSettings, events: IntakeEvents, counted: Promise<number>) {
    this.#settings = settings;
    this.#events = events;
    this.#appender = new Appender(settings, {
      stored: (stored) => events.stored(stored),
      dropped: (dropped) => this.#drop(dropped),
      waiting: () => events.waiting(),
    });
    this.#counted = counted.then((found) => {
      this.#stored += found;
    });
  }

  /** The number of events that are added and not removed. */
  get queued(): number {
    return this.#stored + this.#pending.length;
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
    if (whenFull === "drop-oldest" || (this.queued < maxQueued && this.#waiting.size === 0)) {
      this.#last = this.#accept(event);
      return this.#last;
    }
    if (whenFull === "reject") throw full(`${maxQueued} events are queued. Raise maxQueued, or set whenFull to "wait"`);
    if (this.#waiting.size === MAX_WAITING)
      throw full(`${MAX_WAITING} calls are waiting for room; await each call to add`);
    this.#last = new Promise((resolve, reject) => this.#waiting.push({ event, resolve, reject }));
    return this.#last;
  }

  /** Notes how many events the outbox has. */
  count(stored: number): void {
    this.#stored = stored;
    this.#appender.retry();
    this.#admit();
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

  /** Waits until no event is being stored. */
  async settled(): Promise<void> {
    while (this.#storing !== undefined || this.#pending.length > 0) await this.#store();
  }

  /** Rejects later events. Those that wait for room still get it. */
  close(): void {
    this.#isClosed = true;
  }

  /** Rejects the events that wait for room. */
  rejectWaiting(): void {
    this.#appender.stop();
    for (let waiter = this.#waiting.shift(); waiter !== undefined; waiter = this.#waiting.shift()) {
      waiter.reject(closed());
    }
  }

  /** Accepts events that wait for room. */
  #admit(): void {
    while (this.#waiting.size > 0 && this.queued < this.#settings.maxQueued) {
      const { event, resolve, reject } = this.#waiting.shift() as Waiter;
      this.#accept(event).then(resolve, reject);
    }
  }

  #accept(event: OutboxEvent): Promise<void> {
    this.#pending.push(event);
    this.#dropPending();
    if (this.#group === undefined) {
      this.#group = newGroup();
      queueMicrotask(() => void this.#store());
    }
    return this.#group.promise;
  }

  #store(): Promise<void> {
    this.#storing ??= this.#storeGroups().finally(() => {
      this.#storing = undefined;
    });
    return this.#storing;
  }

  async #storeGroups(): Promise<void> {
    await this.#counted;
    while (this.#group !== undefined) {
      const [group, events] = [this.#group, this.#pending];
      this.#group = undefined;
      this.#pending = [];
      await this.#append(events).then(group.resolve, group.reject);
    }
  }

  async #append(events: OutboxEvent[]): Promise<void> {
    this.#stored += events.length;
    try {
      if (this.#settings.whenFull === "drop-oldest") await this.#makeRoom(events);
      await this.#appender.append(events);
    } catch (error) {
      this.removed(events.length);
      throw error;
    }
  }

  /** Drops the oldest events: first of the outbox, then of those that are about to be appended. */
  async #makeRoom(events: OutboxEvent[]): Promise<void> {
    for (let over = this.#excess(); over > 0; over = this.#excess()) {
      const dropped = await this.#appender.dropOldest(Math.min(over, DROPPED_AT_ONCE));
      if (dropped === 0) return this.#drop(events.splice(0, over));
    }
  }

  #excess(): number {
    return this.#stored - this.#leased - this.#settings.maxQueued;
  }

  #drop(events: readonly OutboxEvent[]): void {
    this.#events.dropped(events);
    this.removed(events.length);
  }

  /** Drops events that were added faster than they can be stored. */
  #dropPending(): void {
    const { maxQueued } = this.#settings;
    if (this.#pending.length >= maxQueued * 2) this.#events.dropped(this.#pending.splice(0, maxQueued));
  }
}

function newGroup(): Group {
  let resolve: Group["resolve"] = () => {};
  let reject: Group["reject"] = () => {};
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

function closed(): EventBufferError {
  return new EventBufferError("closed", "add: the buffer is closed; the event is not stored");
}

function full(reason: string): EventBufferError {
  return new EventBufferError("full", `add: the buffer is full: ${reason}`);
}
