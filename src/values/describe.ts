const LONGEST_STRING = 40;
/** The number of items that a message lists. */
const LISTED = 3;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Describes a value for a message: a number, a boolean or a short string in full, anything else by its type. */
export function describeValue(value: unknown): string {
  if (typeof value === "string" && value.length <= LONGEST_STRING) return JSON.stringify(value);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : describeType(value);
}

/** Names the type of a value, for a value that may be a secret. */
export function describeType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Whether a value is an error. Under Jest, Node.js's errors come from another realm, so `instanceof` returns false. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || /^\[object (Error|DOMException)\]$/.test(Object.prototype.toString.call(value));
}

/** Returns an error as it is, and anything else that was thrown as an error with its text. Never throws. */
export function asError(thrown: unknown): Error {
  try {
    const isReadable = isError(thrown) && [thrown.name, thrown.message].every((each) => typeof each === "string");
    return isReadable ? thrown : new Error(String(thrown), { cause: thrown });
  } catch {
    return new Error(`an unreadable value of type ${typeof thrown}`, { cause: thrown });
  }
}

/** Returns an own property of a value: a name like `constructor` finds nothing that was not sent. */
export function ownField(value: unknown, name: PropertyKey): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<PropertyKey, unknown>)[name];
}

/** Formats a path as in code: `events[0].name`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((written, key) => {
    if (typeof key === "number") return `${written}[${key}]`;
    if (!IDENTIFIER.test(String(key))) return `${written}[${JSON.stringify(String(key))}]`;
    return written === "" ? String(key) : `${written}.${String(key)}`;
  }, "");
}

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
