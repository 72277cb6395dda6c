import type { Schema } from "../contract/index.ts";
import { flattenIssues } from "../contract/issues.ts";
import { type Mismatch, ResponseTooLargeError } from "../errors/index.ts";
import { describeIssue } from "./mismatches.ts";

/** The most mismatches that are listed. */
const MOST = 100;

/** What became of the body of an answer. */
export interface Reading {
  /** The body: parsed JSON, else text. */
  readonly value: unknown;
  /** The places that do not fit, at most 100; undefined when all do. */
  readonly mismatches: readonly Mismatch[] | undefined;
  /** How many places do not fit, as far as they were counted. */
  readonly total?: number;
  /** The failure behind a mismatch. */
  readonly cause?: unknown;
}

/** Reads the body of a successful answer. */
export type Reader = (text: string, response: Response) => Reading;

/** Reads JSON that must fit a schema. The value is given as it came: fields that the schema does not know stay in it. */
export function readChecked(schema: Schema): Reader {
  return (text) => {
    const reading = parseJson(text);
    return reading.mismatches === undefined ? check(schema, reading) : reading;
  };
}

/** Tells whether a value fits a schema. */
export function fits(schema: Schema, value: unknown): boolean {
  return check(schema, { value, mismatches: undefined }).mismatches === undefined;
}

/** A value with too many problems overflows the stack of the schema, which hands them over as arguments. */
function check(schema: Schema, reading: Reading): Reading {
  const { value } = reading;
  try {
    const { success, error } = schema.safeParse(value);
    if (success) return reading;
    const mismatches = flattenIssues(error.issues.slice(0, MOST), value).slice(0, MOST).map(describeIssue);
    return { value, mismatches, total: Math.max(error.issues.length, mismatches.length), cause: summary(error) };
  } catch (cause) {
    return { value, mismatches: [{ path: "", message: "has more problems than can be listed" }], cause };
  }
}

/** A list of problems prints all of them, so that a long one is counted only. */
function summary(error: { readonly issues: readonly unknown[] }): unknown {
  return error.issues.length <= MOST ? error : new Error(`${error.issues.length} places do not fit the contract`);
}

/** Reads what no schema describes: nothing as undefined, what calls itself JSON as JSON, the rest as text. */
export function readUnchecked(text: string, response: Response): Reading {
  if (text === "") return { value: undefined, mismatches: undefined };
  return isJson(response) ? parseJson(text) : { value: text, mismatches: undefined };
}

/** Reads JSON, and keeps the text where it is none. */
export function parseJson(text: string): Reading {
  try {
    return { value: JSON.parse(text), mismatches: undefined };
  } catch (error) {
    return { value: text, mismatches: [{ path: "", message: notJson(text) }], cause: withoutSnippet(error) };
  }
}

/** Engines quote the text in the message, and cut it anywhere, also within a secret. */
function withoutSnippet(error: unknown): SyntaxError {
  const [position] = / at (?:position|line) \d+.*$/.exec((error as Error).message) ?? [""];
  return new SyntaxError(`The body is not valid JSON${position}`);
}

function notJson(text: string): string {
  if (text.trim() === "") return "expected JSON, received nothing";
  if (/^\s*</.test(text)) return "expected JSON, received HTML or XML";
  return /^\s*[[{"]/.test(text) ? "expected JSON, received broken JSON" : "expected JSON, received other text";
}

function isJson(response: Response): boolean {
  return /[/+]json\b/i.test(response.headers.get("content-type") ?? "");
}

const utf8 = new TextDecoder();

/** What reading a body needs to know. */
export interface TextOptions {
  readonly operation: string;
  /** The most bytes to read, after decompression. */
  readonly maxBytes: number;
}

/**
 * Reads the body of a response as text, and stops as soon as it is longer than allowed: a compressed body can be a
 * thousand times as long as its `Content-Length`.
 *
 * @throws {@link ResponseTooLargeError} when the body is too long; the rest of it is not read.
 */
export async function readText(response: Response, options: TextOptions): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return withinLimit(await response.text(), response, options);
  const chunks: Uint8Array[] = [];
  for (let total = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return decode(chunks, total);
    total += value.byteLength;
    if (total > options.maxBytes) {
      reader.cancel().catch(() => {});
      throw tooLarge(response, options);
    }
    chunks.push(value);
  }
}

/** A Response of one's own may have no stream; its text is there already, and counted in characters. */
function withinLimit(text: string, response: Response, options: TextOptions): string {
  if (text.length > options.maxBytes) throw tooLarge(response, options);
  return text;
}

function decode(chunks: readonly Uint8Array[], total: number): string {
  const [first] = chunks;
  return utf8.decode(chunks.length === 1 ? first : joined(chunks, total));
}

function joined(chunks: readonly Uint8Array[], total: number): Uint8Array {
  const bytes = new Uint8Array(total);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

function tooLarge({ status }: Response, { operation, maxBytes }: TextOptions): ResponseTooLargeError {
  const message = `${operation}: the body of the answer (${status}) is longer than ${maxBytes} bytes; raise maxResponseBytes to accept it`;
  return new ResponseTooLargeError(message, { operation, status, maxResponseBytes: maxBytes });
}
