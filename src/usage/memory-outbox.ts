import {
  type Outbox,
  type OutboxEntry,
  OutboxError,
  type OutboxEvent,
  type OutboxState,
  type TakeLimit,
} from "./outbox.ts";

interface StoredEntry extends OutboxEntry {
  readonly appendedAt: number;
}

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
  /** The events that are not taken, the oldest first. */
  #waiting: StoredEntry[] = [];
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
    for (const { json, bytes } of events) {
      this.#count += 1;
      this.#waiting.push({ id: String(this.#count), json, bytes, appendedAt });
    }
  }

  async take(limit: TakeLimit): Promise<readonly OutboxEntry[]> {
    this.#requireOpen("take");
    let bytes = 0;
    const rest = this.#waiting.findIndex((entry, index) => {
      bytes += entry.bytes;
      return index === limit.events || (index > 0 && bytes > limit.bytes);
    });
    const taken = this.#waiting.splice(0, rest === -1 ? this.#waiting.length : rest);
    for (const entry of taken) this.#taken.add(entry);
    return taken;
  }

  async confirm(entries: readonly OutboxEntry[]): Promise<void> {
    this.#requireOpen("confirm");
    for (const entry of entries) if (this.#taken.delete(entry)) this.#bytes -= entry.bytes;
  }

  async release(entries: readonly OutboxEntry[]): Promise<void> {
    this.#requireOpen("release");
    const released = entries.filter((entry) => this.#taken.delete(entry)) as StoredEntry[];
    this.#waiting = [...released, ...this.#waiting].sort((a, b) => Number(a.id) - Number(b.id));
  }

  async state(): Promise<OutboxState> {
    this.#requireOpen("state");
    const events = this.#waiting.length + this.#taken.size;
    if (events === 0) return { events, oldest: undefined };
    const entries = [...this.#waiting.slice(0, 1), ...(this.#taken as Set<StoredEntry>)];
    const oldest = entries.reduce((a, b) => (Number(b.id) < Number(a.id) ? b : a));
    return { events, oldest: oldest.appendedAt, positions: [Number(oldest.id), this.#count] };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #requireOpen(method: string): void {
    if (this.#isClosed) throw new OutboxError("closed", `memoryOutbox: ${method} was called after close`);
  }
}
