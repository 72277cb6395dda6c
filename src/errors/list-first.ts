/** The number of items that a message lists. */
const LISTED = 3;

/**
 * Describes the first three items for a message, and counts the rest: `a; b; c; and 2 more`.
 *
 * @param total The number of items, if `items` does not contain all of them.
 */
export function listFirst<Item>(
  items: readonly Item[],
  describe: (item: Item) => string,
  total: number = items.length,
): string {
  const more = total > LISTED ? `; and ${total - LISTED} more` : "";
  return items.slice(0, LISTED).map(describe).join("; ") + more;
}
