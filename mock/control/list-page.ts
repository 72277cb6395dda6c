import { PAGE_LIMIT, type PageQuery } from "./routes/paging.ts";

/** One page of a list. */
export class ListPage<Item> {
  readonly items: Iterable<Item>;
  /** The key of each item. */
  readonly keys: readonly string[];
  readonly #isLast: boolean;

  constructor(items: Iterable<Item>, keys: readonly string[], isLast: boolean) {
    this.items = items;
    this.keys = keys;
    this.#isLast = isLast;
  }

  /** The value of `after` for the next page; undefined on the last one. */
  get next(): string | undefined {
    return this.nextAfter(this.keys.length);
  }

  /** Returns the value of `after` for the next page if only the first items are sent. */
  nextAfter(count: number): string | undefined {
    return this.#isLast && count === this.keys.length ? undefined : this.keys[count - 1];
  }

  /** Returns a page whose items are converted when they are read. */
  map<Other>(convert: (item: Item) => Other): ListPage<Other> {
    return new ListPage(converted(this.items, convert), this.keys, this.#isLast);
  }
}

function* converted<Item, Other>(items: Iterable<Item>, convert: (item: Item) => Other): Iterable<Other> {
  for (const item of items) yield convert(item);
}

/** Rows to page through: items by key, oldest first. */
export interface Rows<Item> {
  has(key: string): boolean;
  entries(): Iterable<readonly [key: string, item: Item]>;
}

/**
 * Returns a page of a table: the rows that follow the key `after`.
 *
 * @throws TypeError when `limit` is invalid, or when `after` is not the key of a row.
 */
export function pageOf<Item>(
  rows: Rows<Item>,
  { limit, after }: Readonly<Partial<Record<keyof PageQuery, string>>>,
): ListPage<Item> {
  if (after !== undefined && !rows.has(after)) {
    throw new TypeError(`after: unknown id "${after}". Start again without after.`);
  }
  return takePage(after === undefined ? rows.entries() : entriesAfter(rows, after), limit);
}

function* entriesAfter<Item>(rows: Rows<Item>, after: string): Iterable<readonly [key: string, item: Item]> {
  let isAfter = false;
  for (const row of rows.entries()) {
    if (isAfter) yield row;
    else isAfter = row[0] === after;
  }
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
  const keys: string[] = [];
  for (const [key, item] of rows) {
    if (items.length === max) return new ListPage(items, keys, false);
    items.push(item);
    keys.push(key);
  }
  return new ListPage(items, keys, true);
}

function limitFrom(limit = String(PAGE_LIMIT.default)): number {
  const value = Number(limit);
  if (/^\d+$/.test(limit) && value >= 1 && value <= PAGE_LIMIT.max) return value;
  throw new TypeError(`limit must be an integer from 1 to ${PAGE_LIMIT.max}, not "${limit}".`);
}
