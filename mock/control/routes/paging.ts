/** The query parameters of every list that comes in pages. */
export interface PageQuery {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
}

/** The largest number of items on a page, and the number when the request has no `limit`. */
export const PAGE_LIMIT = { default: 1_000, max: 10_000 } as const;

/** The descriptions of the query parameters of every list that comes in pages. */
export const pageQuery: Readonly<Record<keyof PageQuery, string>> = {
  limit: `The maximum number of items, from 1 to ${PAGE_LIMIT.max}; ${PAGE_LIMIT.default} by default.`,
  after: "The id of the item before the first one to return.",
};
