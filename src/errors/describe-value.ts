const LONGEST_STRING = 40;

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
