/** Freezes a value in place at every level. Only for values that the caller owns. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const name in value) {
    const field = value[name];
    if (typeof field === "object") deepFreeze(field);
  }
  return Object.freeze(value);
}

/**
 * Copies a JSON value and freezes the copy at every level. Fields that are undefined are left out.
 *
 * @param place Where the value stands, for messages.
 * @param levels How many levels deep it may be nested.
 * @throws TypeError when JSON has no form for the value or for a part of it, and when it is nested too deeply.
 */
export function frozenJson(value: unknown, place: string, levels: number): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return value;
  const isList = Array.isArray(value);
  if (!isList && !isPlain(value)) throw new TypeError(`${place} must be a JSON value; received ${described(value)}.`);
  if (levels === 0) throw new TypeError(`${place} is nested too deeply.`);
  const copied = (child: unknown, name: string | number) => frozenJson(child, `${place}.${name}`, levels - 1);
  if (isList) return Object.freeze(Array.from(value, copied));
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.freeze(Object.fromEntries(fields.map(([name, field]) => [name, copied(field, name)])));
}

/** Whether a value is a plain object, of any realm. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function described(value: unknown): string {
  if (typeof value === "object" && value !== null) return `an instance of ${value.constructor.name}`;
  return typeof value === "number" ? String(value) : `a value of type ${typeof value}`;
}
