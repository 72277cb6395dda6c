import type { Table } from "../state/table.ts";

/** How many events and deliveries are kept. */
const KEPT = 1_000;

/** Forgets the oldest rows of a table that is too long, except those that are still needed. */
export function forgetOldest<Row>(table: Table<Row>, needed: (row: Row) => boolean = () => false): void {
  let excess = table.size - KEPT;
  if (excess <= 0) return;
  const gone: string[] = [];
  for (const [key, row] of table.entries()) {
    if (needed(row)) continue;
    gone.push(key);
    if (--excess <= 0) break;
  }
  for (const key of gone) table.delete(key);
}
