/** How many items a page of a list holds. */
const LIMIT = { default: 1_000, max: 10_000 } as const;

/** The query parameters of every list. */
export const PAGING: readonly string[] = ["limit", "after"];

/** One page of a list. */
export class ListPage {
  readonly items: readonly unknown[];
  /** The value of `after` for the next page; undefined on the last one. */
  readonly next: string | undefined;

  constructor(items: readonly unknown[], next: string | undefined) {
    this.items = items;
    this.next = next;
  }
}

type Query = Readonly<Record<string, string>>;

/** The rows of a list by key, oldest first. */
export interface Rows {
  has(key: string): boolean;
  entriesAfter(key: string | undefined): Iterable<readonly [key: string, item: unknown]>;
}

/**
 * Cuts a page out of a table, without a copy of the table: the rows that follow the key `after`.
 *
 * @throws TypeError when `limit` is invalid, or when there is no row `after`.
 */
export function pageOf(rows: Rows, query: Query): ListPage {
  const { after } = query;
  if (after !== undefined && !rows.has(after))
    throw new TypeError(`after: unknown id "${after}"; begin again without after.`);
  return cut(rows.entriesAfter(after), query);
}

/** Cuts a page out of rows that come one after another. */
export function cut(rows: Iterable<readonly [key: string, item: unknown]>, query: Query): ListPage {
  const limit = limitOf(query);
  const items: unknown[] = [];
  let last: string | undefined;
  for (const [key, item] of rows) {
    if (items.length === limit) return new ListPage(items, last);
    items.push(item);
    last = key;
  }
  return new ListPage(items, undefined);
}

function limitOf({ limit = String(LIMIT.default) }: Query): number {
  const value = Number(limit);
  if (/^\d+$/.test(limit) && value >= 1 && value <= LIMIT.max) return value;
  throw new TypeError(`limit must be an integer from 1 to ${LIMIT.max}, not "${limit}".`);
}
