import { PAGE_LIMIT, type PageQuery } from "./routes/paging.ts";

/** One page of a list. */
export class ListPage<Item> {
  readonly items: readonly Item[];
  /** The value of `after` for the next page; undefined on the last one. */
  readonly next: string | undefined;

  constructor(items: readonly Item[], next: string | undefined) {
    this.items = items;
    this.next = next;
  }
}

/** Rows to page through: items by key, oldest first. */
export interface Rows<Item> {
  has(key: string): boolean;
  entriesAfter(key: string | undefined): Iterable<readonly [key: string, item: Item]>;
}

/**
 * Returns a page of a table, without a copy of the table: the rows that follow the key `after`.
 *
 * @throws TypeError when `limit` is invalid, or when there is no row with the key `after`.
 */
export function pageOf<Item>(
  rows: Rows<Item>,
  { limit, after }: Readonly<Partial<Record<keyof PageQuery, string>>>,
): ListPage<Item> {
  if (after !== undefined && !rows.has(after)) {
    throw new TypeError(`after: unknown id "${after}". Start again without after.`);
  }
  return takePage(rows.entriesAfter(after), limit);
}

/**
 * Returns a page with the first rows.
 *
 * @throws TypeError when `limit` is invalid.
 */
export function takePage<Item>(
  rows: Iterable<readonly [key: string, item: Item]>,
  limit: string | undefined,
): ListPage<Item> {
  const max = limitFrom(limit);
  const items: Item[] = [];
  let last: string | undefined;
  for (const [key, item] of rows) {
    if (items.length === max) return new ListPage(items, last);
    items.push(item);
    last = key;
  }
  return new ListPage(items, undefined);
}

function limitFrom(limit = String(PAGE_LIMIT.default)): number {
  const value = Number(limit);
  if (/^\d+$/.test(limit) && value >= 1 && value <= PAGE_LIMIT.max) return value;
  throw new TypeError(`limit must be an integer from 1 to ${PAGE_LIMIT.max}, not "${limit}".`);
}
