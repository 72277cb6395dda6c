import type { StoredEvent } from "../state/records.ts";
import type { Table } from "../state/table.ts";
import { yieldToEventLoop } from "../time/yield-to-event-loop.ts";
import type { UsageSummary } from "./routes/usage.ts";
import { UsageCounter } from "./usage-counter.ts";

/** The number of events to count before other work gets a turn. */
const SLICE = 5_000;

const watches = new WeakMap<Table<StoredEvent>, UsageWatch>();

/**
 * Counts the usage events of a mock: the stored ones once, in slices, and from then on each new event when it is stored.
 * Costs nothing until the first read.
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
  /** The revision of the table that the counter reflects. */
  #revision = -1;
  /** The events stored while the older ones are being counted. */
  #arrived: StoredEvent[] | undefined;
  #counting: Promise<void> | undefined;

  private constructor(events: Table<StoredEvent>) {
    this.#events = events;
    events.follow((event) => this.#note(event));
  }

  /** Returns the usage up to now. */
  async read(): Promise<UsageSummary> {
    while (this.#counting || this.#revision !== this.#events.revision) {
      this.#counting ??= this.#count().finally(() => {
        this.#counting = undefined;
      });
      await this.#counting;
    }
    return this.#counter.summary();
  }

  #note(event: StoredEvent): void {
    this.#revision += 1;
    if (this.#arrived) this.#arrived.push(event);
    else this.#counter.add(event);
  }

  /** Counts every event; stops early when the table changes in any other way than by a stored event. */
  async #count(): Promise<void> {
    const counter = new UsageCounter();
    const arrived: StoredEvent[] = [];
    this.#arrived = arrived;
    this.#revision = this.#events.revision;
    let left = this.#events.size;
    for (const [, event] of this.#events.entries()) {
      if (left === 0) break;
      counter.add(event);
      left -= 1;
      if (left % SLICE === 0) await yieldToEventLoop();
      if (this.#revision !== this.#events.revision) break;
    }
    for (const event of arrived) counter.add(event);
    this.#arrived = undefined;
    this.#counter = counter;
  }
}
