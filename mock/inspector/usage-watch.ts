import type { StoredEvent } from "../state/records.ts";
import type { Table } from "../state/table.ts";
import { turn } from "../time/turn.ts";
import { Tally, type Usage } from "./tally.ts";

/** How many events are counted before others get their turn. */
const SLICE = 5_000;

/**
 * Counts the usage events of a mock: those that are stored already once, in slices, and from then on each one as it is
 * stored. A mock that nobody watches pays nothing.
 */
export class UsageWatch {
  readonly #events: Table<StoredEvent>;
  #tally = new Tally();
  /** The revision of the table that the tally stands for. */
  #revision = -1;
  /** What was stored while the other events are being counted. */
  #arrived: StoredEvent[] | undefined;
  #counting: Promise<void> | undefined;

  constructor(events: Table<StoredEvent>) {
    this.#events = events;
    events.follow((event) => this.#note(event));
  }

  /** The usage as it is now. */
  async read(): Promise<Usage> {
    while (this.#counting || this.#revision !== this.#events.revision) {
      this.#counting ??= this.#count().finally(() => {
        this.#counting = undefined;
      });
      await this.#counting;
    }
    return this.#tally.usage();
  }

  #note(event: StoredEvent): void {
    this.#revision += 1;
    if (this.#arrived) this.#arrived.push(event);
    else this.#tally.add(event);
  }

  /** Counts everything; gives up where the table was changed in another way than by events that were stored. */
  async #count(): Promise<void> {
    const tally = new Tally();
    const arrived: StoredEvent[] = [];
    this.#arrived = arrived;
    this.#revision = this.#events.revision;
    let left = this.#events.size;
    for (const [, event] of this.#events.entries()) {
      if (left === 0) break;
      tally.add(event);
      left -= 1;
      if (left % SLICE === 0) await turn();
      if (this.#revision !== this.#events.revision) break;
    }
    for (const event of arrived) tally.add(event);
    this.#arrived = undefined;
    this.#tally = tally;
  }
}
