import {
  type Outbox,
  type OutboxEntry,
  OutboxError,
  type OutboxEvent,
  type OutboxState,
  type TakeLimit,
} from "./outbox.ts";

/** Returns the total size of events, in bytes. */
export function sizeOf(events: readonly OutboxEvent[]): number {
  return events.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The maximum size of the events in memory, in bytes. */
export const MAX_MEMORY_BYTES = 100_000_000;

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
  readonly #entries = new Map<OutboxEntry, number>();
  readonly #taken = new Set<OutboxEntry>();
  #count = 0;
  #bytes = 0;
  #isClosed = false;

  async append(events: readonly OutboxEvent[]): Promise<void> {
    this.#requireOpen("append");
    const appendedAt = Date.now();
    const size = sizeOf(events);
    if (this.#bytes + size > MAX_MEMORY_BYTES) throw new OutboxError("full", NO_ROOM);
    this.#bytes += size;
    for (const { json, bytes } of events) this.#entries.set({ id: String(++this.#count), json, bytes }, appendedAt);
  }

  async take(limit: TakeLimit): Promise<readonly OutboxEntry[]> {
    this.#requireOpen("take");
    const taken: OutboxEntry[] = [];
    let bytes = 0;
    for (const entry of this.#entries.keys()) {
      if (this.#taken.has(entry)) continue;
      bytes += entry.bytes;
      if (taken.length === limit.events || (taken.length > 0 && bytes > limit.bytes)) break;
      taken.push(entry);
    }
    for (const entry of taken) this.#taken.add(entry);
    return taken;
  }

  async confirm(entries: readonly OutboxEntry[]): Promise<void> {
    this.#requireOpen("confirm");
    for (const entry of entries) {
      if (this.#taken.delete(entry) && this.#entries.delete(entry)) this.#bytes -= entry.bytes;
    }
  }

  async release(entries: readonly OutboxEntry[]): Promise<void> {
    this.#requireOpen("release");
    for (const entry of entries) this.#taken.delete(entry);
  }

  async state(): Promise<OutboxState> {
    this.#requireOpen("state");
    const [[entry, oldest] = []] = this.#entries;
    const positions = entry && ([Number(entry.id), this.#count] as const);
    return { events: this.#entries.size, oldest, positions };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #requireOpen(method: string): void {
    if (this.#isClosed) throw new OutboxError("closed", `memoryOutbox: ${method} was called after close`);
  }
}
