import type { Checks } from "../errors/checks.ts";
import { describeType, formatPath } from "../errors/describe-value.ts";

/**
 * Serializes a body as JSON. `undefined` stays `undefined`.
 *
 * @throws {@link InvalidInputError} when JSON cannot represent the value, or would replace or leave out a part of it.
 */
export function serialize(check: Checks, method: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (method === "GET") throw check.fail("body", "is not allowed with GET");
  return toJson(check, "body", value);
}

/**
 * Serializes an argument as JSON.
 *
 * @throws {@link InvalidInputError} when JSON cannot represent the value, or would replace or leave out a part of it.
 */
export function toJson(check: Checks, name: string, value: unknown): string {
  const { json, loss } = writeJson(value);
  if (loss === undefined) return json;
  throw check.fail(formatPath([name, ...loss.path]), loss.problem, loss.options);
}

/** A part of a value that JSON cannot represent, or would replace or leave out. */
interface Loss {
  readonly path: readonly (string | number)[];
  readonly problem: string;
  /** The error of a getter, for example. */
  readonly options?: { readonly cause: unknown };
}

/** Writes a value as JSON, or finds the first part that JSON cannot represent, or would replace or leave out. */
export function writeJson(
  value: unknown,
): { readonly json: string; readonly loss?: undefined } | { readonly json?: undefined; readonly loss: Loss } {
  try {
    const loss = lossIn(value, []);
    return loss === undefined ? { json: JSON.stringify(value) } : { loss };
  } catch (cause) {
    return { loss: { path: [], problem: "cannot be serialized as JSON; see `cause`", options: { cause } } };
  }
}

/** Finds the first loss, for example `NaN`, a `Map`, a function, a cycle. */
function lossIn(given: unknown, parents: unknown[]): Loss | undefined {
  const value = written(given);
  if (value === null && tagOf(given) === "[object Date]") return { path: [], problem: "must be a valid Date" };
  const problem = parents.includes(value) ? "must not be a circular reference" : problemOf(value);
  if (problem) return { path: [], problem };
  if (typeof value !== "object" || value === null) return undefined;
  parents.push(value);
  const isArray = Array.isArray(value);
  for (const key of isArray ? value.keys() : Object.keys(value)) {
    const inner: unknown = (value as Record<string | number, unknown>)[key];
    if (isSimple(inner) || (!isArray && inner === undefined)) continue;
    const loss = lossIn(inner, parents);
    if (loss) return { ...loss, path: [key, ...loss.path] };
  }
  parents.pop();
  return undefined;
}

/** Whether JSON writes a value as it is. Most values of a body are of this kind. */
function isSimple(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || value === null || Number.isFinite(value);
}

/** Returns what JSON writes for a value with `toJSON`: a `Date`, or a bigint in a program that defines it, but not a `Buffer`. */
function written(value: unknown): unknown {
  const { toJSON } = (/^(object|bigint)$/.test(typeof value) ? (value ?? {}) : {}) as { readonly toJSON?: unknown };
  return typeof toJSON === "function" && !ArrayBuffer.isView(value) ? toJSON.call(value, "") : value;
}

/** The tags of objects that JSON writes completely, besides plain ones and those with fields of their own. */
const WRITTEN = /^\[object (Array|String|Number|Boolean)\]$/;

/** The tags of objects whose content JSON leaves out or changes, even if they also have fields. */
const LOST = /^\[object (Map|Set|Error)\]$/;

function problemOf(value: unknown): string | undefined {
  const isNumber = typeof value === "number" || value instanceof Number;
  if (isNumber && !Number.isFinite(Number(value))) return `must be a finite number; received ${value}`;
  if (value === undefined) return "must not be undefined";
  if (["function", "symbol", "bigint"].includes(typeof value)) return `must not be a ${typeof value}`;
  if (typeof value !== "object" || value === null) return undefined;
  const tag = tagOf(value);
  if (!LOST.test(tag) && !ArrayBuffer.isView(value) && Object.keys(value).length > 0) return undefined;
  // The prototype of a plain object has none, in any realm. An instance may have only getters.
  const isPlain = Object.getPrototypeOf(Object.getPrototypeOf(value) ?? Object.prototype) === null;
  return isPlain || WRITTEN.test(tag) ? undefined : `must be a JSON value; received ${value.constructor?.name}`;
}

/** Returns the name of a built-in type, also for an object of another realm. */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value);

/** The reader of a web stream, or the iterator of a stream of Node.js. */
export type ByteSource = ReadableStreamDefaultReader<unknown> | AsyncIterator<unknown>;

/**
 * Reads a stream to its end. Returns undefined, and cancels the stream, if it is longer than the limit. The chunks are copied
 * into one buffer that grows, since a sender may cut the body into single bytes, and keeping each chunk would take thirty times
 * their bytes.
 */
export async function readBytes(
  source: ByteSource,
  maxBytes: number,
  bytesOf: (chunk: unknown) => Uint8Array | undefined = viewOf,
): Promise<Uint8Array | undefined> {
  let buffer: Uint8Array = new Uint8Array();
  for (let length = 0; ; ) {
    const { done, value } = await ("read" in source ? source.read() : source.next());
    if (done === true) return buffer.subarray(0, length);
    const bytes = bytesOf(value);
    if (bytes === undefined) throw new TypeError(`the body must consist of bytes; received ${describeType(value)}`);
    const end = length + bytes.length;
    if (end > maxBytes) {
      cancel(source);
      return undefined;
    }
    if (end > buffer.length) {
      const read = buffer;
      // The first chunk is often the only one.
      buffer = new Uint8Array(length === 0 ? end : Math.min(2 * end, maxBytes));
      buffer.set(read);
    }
    buffer.set(bytes, length);
    length = end;
  }
}

/** Cancels a stream, whatever comes of it. */
export function cancel(source: ByteSource): void {
  ("read" in source ? source.cancel() : source.return?.())?.catch(() => undefined);
}

/** Returns bytes from any realm; undefined for anything else. Throws if they were transferred to somewhere else. */
export function viewOf(value: unknown): Uint8Array | undefined {
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined;
}
