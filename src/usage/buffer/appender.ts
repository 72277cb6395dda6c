import { BillingError, type ErrorGuard, guardOf } from "../../errors/billing-error.ts";
import { nextTurn } from "../../values/wait.ts";
import { parseStored } from "../deliver.ts";
import type { UsageEvent } from "../event.ts";
import { isOutboxError, type NewOutboxEvent, type Outbox, OutboxError } from "../outbox.ts";
import type { BufferSettings } from "./options.ts";
import type { Reporter } from "./reporter.ts";

/** The reasons of an {@link EventBufferError}. */
export type EventBufferErrorReason = "closed" | "full" | "timeout" | "unsent";

/**
 * An event buffer could not accept or send an event.
 *
 * - `closed`: the buffer is closed, or was closed during `flush`. The event of an `add` is not stored.
 * - `full`: `maxQueued` events are queued, or the outbox has no room. The event is not stored.
 * - `timeout`: `flush` ended before every event was sent. The events stay queued.
 * - `unsent`: `close` ended before every event was sent, and the outbox is not durable. `events` has them; add them to another
 *   buffer, or store them. The service may have stored some of them, so keep their `external_id`.
 *
 * @remarks For `full`, call `add` again later, for example after `flush`, or raise `maxQueued`; for `closed`, create another
 * buffer. To keep unsent events, use a durable outbox.
 */
export class EventBufferError extends BillingError {
  override readonly name = "EventBufferError";
  /** The reason, for programs. */
  readonly reason: EventBufferErrorReason;
  /** For `unsent`, the events that were not sent; otherwise empty. They are not printed. */
  declare readonly events: readonly UsageEvent[];

  constructor(
    reason: EventBufferErrorReason,
    message: string,
    options: { readonly cause?: unknown; readonly events?: readonly UsageEvent[] } = {},
  ) {
    super(message, options);
    this.reason = reason;
    Object.defineProperty(this, "events", { value: options.events ?? [], enumerable: false });
  }
}

/** Returns whether a value is an {@link EventBufferError} thrown by any installed copy of the package. */
export const isEventBufferError: ErrorGuard<EventBufferError> = /* @__PURE__ */ guardOf("EventBufferError");

/**
 * The time after which an `add` lets timers and requests run first, so that a loop of calls does not hold them up, in
 * milliseconds.
 */
const SLICE = 5;

/** The maximum number of events that one append stores. The `redis` client fails with 100,000. */
const MAX_APPENDED = 10_000;

/** An event that is not in the outbox yet, and the promise of its `add`. */
interface Added {
  readonly event: NewOutboxEvent;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Sends the events of the outbox. */
interface Sender {
  appended(events: readonly NewOutboxEvent[]): void;
  sendAll(): void;
}

/** Appends events to the outbox, in one write per turn of the event loop. */
export class Appender {
  readonly #settings: BufferSettings;
  readonly #outbox: Outbox;
  readonly #sender: () => Sender;
  readonly #reporter: Reporter;
  /** The events that are not stored, in their order. */
  readonly #added: Added[] = [];
  #storing: Promise<void> | undefined;
  /** The promise of the last event that was added. Those before it are settled earlier. */
  #last: Promise<void> = Promise.resolve();
  /** The number of events in the outbox. */
  #stored = 0;
  #isClosed = false;
  /** The time of the last turn of the event loop that an `add` waited for. */
  #turnedAt = 0;
  /** Resolves when the events of an earlier process are counted. */
  readonly #counted: Promise<void>;

  /** Counts the events that an earlier process left in the outbox, and sends them. */
  constructor(settings: BufferSettings, reporter: Reporter, sender: () => Sender) {
    this.#settings = settings;
    this.#outbox = settings.outbox;
    this.#sender = sender;
    this.#reporter = reporter;
    void this.#check();
    this.#counted = this.#count().catch((error: unknown) => reporter.error(error));
  }

  async #count(): Promise<void> {
    const { events } = await this.#outbox.state();
    this.#stored += events;
    if (events > 0) this.#sender().sendAll();
  }

  async #check(): Promise<void> {
    const warning = await this.#outbox.check?.().catch(() => undefined); // the other methods report the error
    if (warning !== undefined) this.#settings.log.warn?.(`${warning}.`);
  }

  /** The number of events that are added and not removed. */
  get queued(): number {
    return this.#stored + this.#added.length;
  }

  /**
   * Adds an event. Resolves when it is in the outbox.
   *
   * @throws {@link EventBufferError} if the buffer is closed or full.
   */
  add(event: NewOutboxEvent): Promise<void> {
    const { maxQueued } = this.#settings;
    if (this.#isClosed)
      return Promise.reject(new EventBufferError("closed", "add: the buffer is closed; the event is not stored"));
    if (this.queued >= maxQueued) {
      const problem = manyQueued(maxQueued);
      this.#reporter.failedToAdd(problem, this.queued);
      return Promise.reject(problem);
    }
    this.#last = new Promise((resolve, reject) => this.#added.push({ event, resolve, reject }));
    this.#storing ??= Promise.resolve().then(() => this.#storeAll());
    return this.#last;
  }

  /** Notes how many events the outbox has. */
  count(stored: number): void {
    this.#stored = stored;
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

  /** Rejects later events. */
  close(): void {
    this.#isClosed = true;
  }

  /** Resolves when every event is stored or rejected. */
  async stored(): Promise<void> {
    await this.#storing;
  }

  /** Rejects the events that are still being stored, because the outbox does not respond. */
  abandon(): void {
    const problem = "the buffer was closed while the outbox did not respond";
    this.#reject(this.#added.length, new OutboxError("unavailable", problem));
  }

  async #storeAll(): Promise<void> {
    const { maxQueued } = this.#settings;
    await this.#counted;
    while (this.#added.length > 0) {
      await this.#letOthersRun();
      const part = this.#added.slice(0, Math.max(0, Math.min(MAX_APPENDED, maxQueued - this.#stored)));
      if (part.length > 0) await this.#append(part);
      else this.#reject(this.#added.length, manyQueued(maxQueued));
    }
    this.#storing = undefined;
  }

  async #letOthersRun(): Promise<void> {
    if (performance.now() - this.#turnedAt <= SLICE) return;
    await nextTurn();
    this.#turnedAt = performance.now();
  }

  /** Appends the first events, all or none. */
  async #append(part: readonly Added[]): Promise<void> {
    const events = part.map(({ event }) => event);
    try {
      await this.#outbox.append(events);
    } catch (error) {
      return this.#reject(part.length, error);
    }
    this.#stored += part.length;
    for (const { resolve } of this.#added.splice(0, part.length)) resolve();
    this.#sender().appended(events);
  }

  /** Rejects the first events, which nothing else has settled: `abandon` rejects all. */
  #reject(events: number, error: unknown): void {
    for (const { event, reject } of this.#added.splice(0, events)) {
      const problem = errorOfAdd(error, event);
      this.#reporter.failedToAdd(problem, this.queued);
      reject(problem);
    }
  }
}

/**
 * Returns an error of the buffer for a full outbox. If the event may have been stored, the error contains it with its
 * `external_id`, so that it is safe to add again.
 */
function errorOfAdd(error: unknown, event: NewOutboxEvent): unknown {
  if (!isOutboxError(error)) return error;
  if (error.reason === "full")
    return new EventBufferError("full", `add: the outbox is full: ${error.message}`, { cause: error });
  if (error.reason !== "unavailable") return error;
  const advice = "The event may be stored; to add it again, pass error.event, which has its external_id";
  const options = { cause: error, event: parseStored(event) };
  return new OutboxError("unavailable", `add: ${error.message.replace(/\.$/, "")}. ${advice}`, options);
}

function manyQueued(maxQueued: number): EventBufferError {
  return new EventBufferError("full", `add: the buffer is full: ${maxQueued} events are queued`);
}
