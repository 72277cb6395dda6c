import type { StoredEvent } from "../state/records.ts";
import type { Table } from "../state/table.ts";
import { ITEMS_AT_ONCE, inSlices, type Work } from "../time/in-slices.ts";
import type { UsageSummary } from "./routes/usage.ts";
import { UsageCounter } from "./usage-counter.ts";

/** The maximum number of events to keep until the next read. Beyond it, the next read counts every event again. */
const MAX_UNCOUNTED = 100_000;

const watches = new WeakMap<Table<StoredEvent>, UsageWatch>();

/**
 * Counts the usage events of a mock when they are read, in slices: at first all of them, and then those that were stored
 * since the last time.
 */
export class UsageWatch {
  /** Returns the watch of a table, the same one on every call. */
  static of(events: Table<StoredEvent>): UsageWatch {
    const watch = watches.get(events) ?? new UsageWatch(events);
    watches.set(events, watch);
    return watch;
  }

  readonly #events: Table<StoredEvent>;
  #counter = new UsageCounter();
  /** The revision of the table that the counter reflects, together with the events that are not counted yet. */
  #revision = -1;
  /** The events that were stored since the last read, or while the older ones are being counted. */
  #uncounted: StoredEvent[] = [];
  #counting: Promise<void> | undefined;

  private constructor(events: Table<StoredEvent>) {
    this.#events = events;
    events.follow((stored) => this.#note(stored));
  }

  /** Returns the usage up to now. */
  async read(): Promise<UsageSummary> {
    while (this.#counting || this.#uncounted.length > 0 || this.#revision !== this.#events.revision) {
      this.#counting ??= this.#count().finally(() => {
        this.#counting = undefined;
      });
      await this.#counting;
    }
    return this.#counter.summary();
  }

  #note(stored: ReadonlyMap<string, StoredEvent>): void {
    if (this.#uncounted.length + stored.size > MAX_UNCOUNTED) {
      this.#uncounted = [];
      return;
    }
    this.#revision += 1;
    for (const event of stored.values()) this.#uncounted.push(event);
  }

  async #count(): Promise<void> {
    if (this.#revision !== this.#events.revision) await inSlices(this.#countAgain());
    const events = this.#uncounted;
    this.#uncounted = [];
    await inSlices(count(events, events.length, this.#counter));
  }

  /** Counts every event from the beginning, or until the table changes in another way than by a stored event. */
  *#countAgain(): Work<void> {
    this.#revision = this.#events.revision;
    this.#uncounted = [];
    this.#counter = new UsageCounter();
    const isCurrent = () => this.#revision === this.#events.revision;
    yield* count(valuesOf(this.#events), this.#events.size, this.#counter, isCurrent);
  }
}

/** Counts the first events. Stops if the table changes in another way meanwhile. */
function* count(
  events: Iterable<StoredEvent>,
  size: number,
  counter: UsageCounter,
  isCurrent = () => true,
): Work<void> {
  let left = size;
  for (const event of events) {
    if (left === 0) return;
    counter.add(event);
    left -= 1;
    if (left % ITEMS_AT_ONCE === 0) yield;
    if (!isCurrent()) return;
  }
}

function* valuesOf(events: Table<StoredEvent>): Iterable<StoredEvent> {
  for (const [, event] of events.entries()) yield event;
}
