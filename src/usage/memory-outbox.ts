import { sizeOf } from "./event.ts";
import {
  type NewOutboxEvent,
  type Outbox,
  OutboxError,
  type OutboxEvent,
  type OutboxState,
  type TakeLimit,
} from "./outbox.ts";

/** The maximum size of the events in memory, in bytes. */
const MAX_MEMORY_BYTES = 100_000_000;

/**
 * Creates an outbox in memory, the default of `createEventBuffer`. It is full when its events have 100,000,000 bytes as JSON.
 * Its events are lost when the process ends: close the buffer first, or use `sqliteOutbox` from
 * `@billing-service/sdk/usage/sqlite`.
 */
export function memoryOutbox(): Outbox {
  return new MemoryOutbox();
}

const NO_ROOM = `memoryOutbox: its events have almost ${MAX_MEMORY_BYTES} bytes. Use a durable outbox for more`;

class MemoryOutbox implements Outbox {
  /** The events that are not confirmed, the oldest first, with the time at which each was appended. */
  readonly #stored = new Map<OutboxEvent, number>();
  /** Those that are not taken. */
  #waiting = new Set<OutboxEvent>();
  #count = 0;
  #bytes = 0;
  #isClosed = false;

  async append(events: readonly NewOutboxEvent[]): Promise<void> {
    this.#requireOpen("append");
    const appendedAt = Date.now();
    const size = sizeOf(events);
    if (this.#bytes + size > MAX_MEMORY_BYTES) throw new OutboxError("full", NO_ROOM);
    this.#bytes += size;
    for (const { json, bytes } of events) {
      const event = { id: String(++this.#count), json, bytes };
      this.#stored.set(event, appendedAt);
      this.#waiting.add(event);
    }
  }

  async take(limit: TakeLimit): Promise<readonly OutboxEvent[]> {
    this.#requireOpen("take");
    const taken: OutboxEvent[] = [];
    let bytes = 0;
    for (const event of this.#waiting) {
      bytes += event.bytes;
      if (taken.length === limit.events || (taken.length > 0 && bytes > limit.bytes)) break;
      taken.push(event);
    }
    for (const event of taken) this.#waiting.delete(event);
    return taken;
  }

  async confirm(events: readonly OutboxEvent[]): Promise<void> {
    this.#requireOpen("confirm");
    for (const event of events) {
      if (!this.#waiting.has(event) && this.#stored.delete(event)) this.#bytes -= event.bytes;
    }
  }

  async release(events: readonly OutboxEvent[]): Promise<void> {
    this.#requireOpen("release");
    const released = new Set(events);
    const isWaiting = (event: OutboxEvent): boolean => this.#waiting.has(event) || released.has(event);
    this.#waiting = new Set([...this.#stored.keys()].filter(isWaiting));
  }

  async state(): Promise<OutboxState> {
    this.#requireOpen("state");
    const [[event, oldest] = []] = this.#stored;
    const positions = event && ([Number(event.id), this.#count] as const);
    return { events: this.#stored.size, oldest, positions };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #requireOpen(method: string): void {
    if (this.#isClosed) throw new OutboxError("closed", `memoryOutbox: ${method} was called after close`);
  }
}
