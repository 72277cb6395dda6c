/** The largest number of edits that separates a typo from the name that was meant. */
const MAX_EDITS = 2;

/** Returns the name that was probably meant: the most similar one, at most two typing errors away. */
export function closestName(given: string, names: readonly string[]): string | undefined {
  const typed = given.toLowerCase();
  for (let edits = 0; edits <= MAX_EDITS && edits * 2 <= typed.length; edits++) {
    const found = names.find((name) => isWithin(edits, typed, name.toLowerCase()));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether inserting, deleting or replacing at most so many characters makes the texts equal. */
function isWithin(edits: number, one: string, other: string): boolean {
  if (one === other || Math.abs(one.length - other.length) > edits) return one === other;
  if (one[0] === other[0]) return isWithin(edits, one.slice(1), other.slice(1));
  const [a, b] = [one.slice(1), other.slice(1)];
  return edits > 0 && (isWithin(edits - 1, a, other) || isWithin(edits - 1, one, b) || isWithin(edits - 1, a, b));
}

/** The maximum number of valid names in a message. */
const MAX_LISTED = 20;

/** Continues the message `unknown …`: names the value, then the closest valid name or all valid names. */
export function suggestName(given: string, names: readonly string[]): string {
  const closest = closestName(given, names);
  const list = names.length > MAX_LISTED ? "" : `; expected one of: ${names.join(", ")}`;
  return JSON.stringify(given) + (closest === undefined ? list : `. Did you mean "${closest}"?`);
}
