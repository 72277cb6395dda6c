/** Prepares what JSON cannot hold, as objects with the one field `$`: functions, undefined, numbers without an end. */
export function toWire(value: unknown): unknown {
  if (typeof value === "function" || value === undefined) return { $: typeof value };
  if (typeof value === "number" && !Number.isFinite(value)) return { $: String(value) };
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(toWire);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toWire(field)]));
}

/** The reverse of `toWire`; what was a function throws a TypeError when it is called. */
export function fromWire(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(fromWire);
  const { $ } = value as { readonly $?: unknown };
  if ($ === "function") return stranded;
  if ($ === "undefined") return undefined;
  if (typeof $ === "string") return Number($);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fromWire(field)]));
}

function stranded(): never {
  throw new TypeError("connectMock: functions stay on the server; this one cannot be called from here.");
}
