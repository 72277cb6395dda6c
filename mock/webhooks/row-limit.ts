import type { Table } from "../state/table.ts";

/** Maximum number of rows. */
const MAX_ROWS = 1_000;

/** Maximum number of needed rows that are skipped for each call. */
const MAX_SKIPPED = 64;

/** Limits a table to a thousand rows. Rows that are still needed stay, even above the limit. */
export class RowLimit<Row> {
  readonly #table: Table<Row>;
  readonly #isNeeded: (row: Row) => boolean;
  /** The number of calls to ignore: a search takes time in proportion to the number of needed rows. */
  #pause = 0;

  constructor(table: Table<Row>, isNeeded: (row: Row) => boolean = () => false) {
    this.#table = table;
    this.#isNeeded = isNeeded;
  }

  /** Deletes the oldest rows above the limit. Call it after a row is added or is no longer needed. */
  evictOldest(): void {
    let excess = this.#table.size - MAX_ROWS;
    if (excess <= 0) return;
    this.#pause -= 1;
    if (this.#pause > 0) return;
    const evicted: string[] = [];
    let skipped = 0;
    for (const [key, row] of this.#table.entries()) {
      if (this.#isNeeded(row)) skipped += 1;
      else {
        evicted.push(key);
        excess -= 1;
        if (excess === 0) break;
      }
    }
    for (const key of evicted) this.#table.delete(key);
    this.#pause = skipped / MAX_SKIPPED;
  }
}
