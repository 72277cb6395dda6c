/** A value encoded as JSON, where `{ "$": … }` stands for a function, `undefined` or a number that is not finite. */
export interface Encoded<Value> {
  readonly [encoded]: Value;
}

declare const encoded: unique symbol;

/** Encodes a value that JSON cannot express as it is. */
export function toWire<Value>(value: Value): Encoded<Value> {
  return encode(value) as Encoded<Value>;
}

/** Decodes a value. Each function in it becomes one that throws a TypeError when it is called. */
export function fromWire<Value>(value: Encoded<Value>): Value {
  return decode(value) as Value;
}

function encode(value: unknown): unknown {
  if (typeof value === "function" || value === undefined) return { $: typeof value };
  if (typeof value === "number" && !Number.isFinite(value)) return { $: String(value) };
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(encode);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, encode(field)]));
}

function decode(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(decode);
  const { $ } = value as { readonly $?: unknown };
  if ($ === "function") return throwOnCall;
  if ($ === "undefined") return undefined;
  if (typeof $ === "string") return Number($);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, decode(field)]));
}

function throwOnCall(): never {
  throw new TypeError("connectMock: this function exists only in the server's process and cannot be called from here.");
}
