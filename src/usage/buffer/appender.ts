import { backoff, RetryGate } from "../delivery/index.ts";
import { isOutboxError, type Outbox, type OutboxError, type OutboxEvent } from "../outbox/index.ts";
import { EventBufferError } from "./event-buffer-error.ts";
import type { BufferSettings } from "./settings.ts";

/** The number of times that events are dropped for one append: it may not help, for example on a full disk. */
const MAX_DROPS = 10;

/** The calls of an appender to its buffer. */
export interface AppenderEvents {
  /** Is called when events are in the outbox. */
  stored(events: readonly OutboxEvent[]): void;
  /** Is called with events that are removed to make room. */
  dropped(events: readonly OutboxEvent[]): void;
  /** Is called when events wait for room in the outbox. */
  waiting(): void;
}

/** Appends events to the outbox, and applies `whenFull` if the outbox itself has no room. */
export class Appender {
  readonly #settings: BufferSettings;
  readonly #outbox: Outbox;
  readonly #events: AppenderEvents;
  readonly #stop = new AbortController();
  readonly #gate = new RetryGate(this.#stop.signal);
  /** The number of times that room was made. */
  #removals = 0;
  /** True if the outbox had no events when the last append was rejected as full. */
  #wasEmpty = false;

  constructor(settings: BufferSettings, events: AppenderEvents) {
    this.#settings = settings;
    this.#outbox = settings.outbox;
    this.#events = events;
  }

  /**
   * Appends events.
   *
   * @param events Those that are stored or dropped are removed from the array if not all fit at once.
   * @throws {@link EventBufferError} if the outbox is full and `whenFull` is `reject`, or if the appender was stopped.
   * @throws {@link OutboxError} if the outbox fails, or is full although it has no events.
   */
  async append(events: OutboxEvent[]): Promise<void> {
    const full = await this.#try(events);
    if (full === undefined) return;
    if (this.#settings.whenFull === "reject") throw noRoom(full);
    return this.#settings.whenFull === "wait" ? this.#appendInParts(events) : this.#appendAndDrop(events);
  }

  /** Tries again to append events that wait for room. */
  retry(): void {
    this.#removals += 1;
    this.#gate.hurry();
  }

  /** Rejects events that wait for room. */
  stop(): void {
    this.#stop.abort();
  }

  /** Removes the oldest events of the outbox that are not being sent. Returns their number. */
  async dropOldest(count: number): Promise<number> {
    const oldest = await this.#outbox.take({ events: count, bytes: Number.MAX_SAFE_INTEGER });
    if (oldest.length === 0) return 0;
    try {
      await this.#outbox.confirm(oldest);
    } catch (error) {
      await this.#outbox.release(oldest);
      throw error;
    }
    this.#events.dropped(oldest);
    return oldest.length;
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
    return undefined;
  }

  /** Appends as many events at a time as there is room for. */
  async #appendInParts(events: OutboxEvent[]): Promise<void> {
    for (let size = Math.ceil(events.length / 2), attempt = 1; events.length > 0; ) {
      const part = events.slice(0, size);
      const removals = this.#removals;
      const full = await this.#try(part);
      if (full === undefined) {
        events.splice(0, part.length);
        [size, attempt] = [Math.min(size * 2, events.length), 1];
      } else if (size > 1) size = Math.ceil(size / 2);
      else if (removals === this.#removals) await this.#waitForRoom(full, attempt++);
    }
  }

  async #waitForRoom(full: OutboxError, attempt: number): Promise<void> {
    const isEmpty = (await this.#outbox.state()).events === 0;
    if (isEmpty && this.#wasEmpty) throw full;
    this.#wasEmpty = isEmpty;
    this.#events.waiting();
    await this.#gate.pass(backoff(attempt, this.#settings.delays)).catch(() => {
      throw closedWhileFull(full);
    });
  }

  async #appendAndDrop(events: OutboxEvent[]): Promise<void> {
    let full: OutboxError | undefined;
    for (let drops = 0; drops < MAX_DROPS && events.length > 0; drops++) {
      const dropped = await this.dropOldest(events.length);
      if (dropped === 0) this.#events.dropped(events.splice(0, Math.ceil(events.length / 2)));
      full = events.length > 0 ? await this.#try(events) : undefined;
      if (full === undefined) return;
    }
    if (full !== undefined) throw noRoom(full);
  }
}

function noRoom(cause: OutboxError): EventBufferError {
  return new EventBufferError("full", `add: the outbox is full: ${cause.message}`, { cause });
}

function closedWhileFull(cause: OutboxError): EventBufferError {
  const problem = "add: the buffer was closed while the outbox was full; the event may not be stored";
  return new EventBufferError("closed", problem, { cause });
}
