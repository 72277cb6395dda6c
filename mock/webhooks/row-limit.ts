import type { Table } from "../state/table.ts";

/** Maximum number of rows. */
const MAX_ROWS = 1_000;

/** Maximum number of characters of all rows, about. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** The number of new characters after which all rows are measured again. */
const MEASURE_AFTER = MAX_CHARACTERS / 8;

/** Maximum number of needed rows that are skipped for each call. */
const MAX_SKIPPED = 64;

/** The rules of a limit. */
export interface RowLimitRules<Row> {
  /** Returns the approximate number of characters of a row. */
  readonly sizeOf: (row: Row) => number;
  /** Whether a row is still needed; left out when none is. */
  readonly isNeeded?: (row: Row) => boolean;
}

/** Limits a table to a thousand rows and to 32 million characters. Rows that are still needed stay, even above it. */
export class RowLimit<Row> {
  readonly #table: Table<Row>;
  readonly #sizeOf: (row: Row) => number;
  readonly #isNeeded: (row: Row) => boolean;
  /** The number of calls to ignore: a search takes time in proportion to the number of needed rows. */
  #pause = 0;
  /** The number of characters that were added since the rows were measured. */
  #added = 0;

  constructor(table: Table<Row>, { sizeOf, isNeeded = () => false }: RowLimitRules<Row>) {
    this.#table = table;
    this.#sizeOf = sizeOf;
    this.#isNeeded = isNeeded;
  }

  /** Deletes the oldest rows above the limit. Call it after a row is added or is no longer needed. */
  evictOldest(row: Row): void {
    this.#added += this.#sizeOf(row);
    if (this.#added > MEASURE_AFTER) this.#evictLarge();
    if (this.#table.size <= MAX_ROWS) return;
    this.#pause -= 1;
    if (this.#pause <= 0) this.#evict((evicted) => this.#table.size - evicted > MAX_ROWS);
  }

  #evictLarge(): void {
    this.#added = 0;
    let characters = 0;
    for (const [, row] of this.#table.entries()) characters += this.#sizeOf(row);
    this.#evict((_, row) => {
      const isAbove = characters > MAX_CHARACTERS;
      characters -= this.#sizeOf(row);
      return isAbove;
    });
  }

  /** Deletes the oldest rows that are not needed, as long as there are too many. */
  #evict(isAbove: (evicted: number, row: Row) => boolean): void {
    const evicted: string[] = [];
    let skipped = 0;
    for (const [key, row] of this.#table.entries()) {
      if (this.#isNeeded(row)) skipped += 1;
      else if (isAbove(evicted.length, row)) evicted.push(key);
      else break;
    }
    for (const key of evicted) this.#table.delete(key);
    this.#pause = skipped / MAX_SKIPPED;
  }
}
