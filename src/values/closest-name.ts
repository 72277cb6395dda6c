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

/** Returns whether inserting, deleting, replacing or swapping at most so many characters makes the texts equal. */
function isWithin(edits: number, one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > edits) return false;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const [a, b] = [one.slice(same), other.slice(same)];
  if (a === b || edits === 0) return a === b;
  const tries = [
    [a.slice(1), b],
    [a, b.slice(1)],
    [a.slice(1), b.slice(1)],
    ...(a[0] === b[1] && a[1] === b[0] ? [[a.slice(2), b.slice(2)]] : []),
  ];
  return tries.some(([left = "", right = ""]) => isWithin(edits - 1, left, right));
}

/** The maximum number of valid names in a message. */
const MAX_LISTED = 20;

/** Continues the message `unknown …`: names the value, then the closest valid name or all valid names. */
export function suggestName(given: string, names: readonly string[]): string {
  const closest = closestName(given, names);
  const list = names.length > MAX_LISTED ? "" : `; expected one of: ${names.join(", ")}`;
  return JSON.stringify(given) + (closest === undefined ? list : `. Did you mean "${closest}"?`);
}
