/** How many items a message lists. */
const LISTED = 3;

/**
 * Describes the first three items for a message, and counts the rest: `a; b; c; and 2 more`.
 *
 * @param total The number of items, where `items` does not hold all of them.
 */
export function listFirst<Item>(
  items: readonly Item[],
  describe: (item: Item) => string,
  total: number = items.length,
): string {
  const more = total > LISTED ? `; and ${total - LISTED} more` : "";
  return items.slice(0, LISTED).map(describe).join("; ") + more;
}
