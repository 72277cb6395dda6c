import type { Table } from "../state/table.ts";

/** How many events and deliveries are kept. */
const KEPT = 1_000;

/** How many rows that are still needed may be passed over for each one that is noted. */
const PASSED = 64;

/** Keeps a table short: forgets the oldest rows, except those that are still needed. */
export class Forgetting<Row> {
  readonly #table: Table<Row>;
  readonly #needed: (row: Row) => boolean;
  /** How many calls come before the next look: looking takes as long as there are rows that are needed. */
  #pause = 0;

  constructor(table: Table<Row>, needed: (row: Row) => boolean = () => false) {
    this.#table = table;
    this.#needed = needed;
  }

  /** To be called after each row that is added or no longer needed. */
  sweep(): void {
    let excess = this.#table.size - KEPT;
    if (excess <= 0) return;
    this.#pause -= 1;
    if (this.#pause > 0) return;
    const gone: string[] = [];
    let passed = 0;
    for (const [key, row] of this.#table.entries()) {
      if (this.#needed(row)) passed += 1;
      else {
        gone.push(key);
        excess -= 1;
        if (excess === 0) break;
      }
    }
    for (const key of gone) this.#table.delete(key);
    this.#pause = passed / PASSED;
  }
}
