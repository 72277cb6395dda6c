import { flattenIssues } from "../contract/flatten-issues.ts";
import type { Schema, ZodSchema } from "../contract/index.ts";
import type { Mismatch } from "../errors/index.ts";
import { describeIssue } from "./mismatches.ts";
import type { TransportResponse } from "./transport.ts";

/** The maximum number of listed mismatches. */
const MAX_LISTED = 100;

/** The result of reading the body of a response. */
export interface Reading {
  /** The body: parsed JSON, otherwise text. */
  readonly value: unknown;
  /** The mismatches with the contract, at most 100; undefined if there are none. */
  readonly mismatches: readonly Mismatch[] | undefined;
  /** The number of mismatches, as far as counted. */
  readonly total?: number;
  /** The error behind a mismatch. */
  readonly cause?: unknown;
}

/** Reads the body of a successful response. */
export type Reader = (text: string, response: TransportResponse) => Reading;

/** Creates a reader of JSON that must match a schema. The value keeps fields that the schema does not know. */
export function readChecked(schema: Schema): Reader {
  return (text) => {
    const reading = parseJson(text);
    return reading.mismatches === undefined ? check(schema, reading) : reading;
  };
}

/** Returns whether a value matches a schema. */
export function matches(schema: Schema, value: unknown): boolean {
  return check(schema, { value, mismatches: undefined }).mismatches === undefined;
}

/**
 * Checks a value with a schema of the package. A value with too many problems overflows the stack of the schema library,
 * which spreads them as arguments.
 */
function check(schema: Schema, reading: Reading): Reading {
  const { value } = reading;
  try {
    const { success, error } = (schema as ZodSchema).safeParse(value);
    if (success) return reading;
    const mismatches = flattenIssues(error.issues.slice(0, MAX_LISTED), value).slice(0, MAX_LISTED).map(describeIssue);
    return { value, mismatches, total: Math.max(error.issues.length, mismatches.length), cause: summary(error) };
  } catch (cause) {
    return { value, mismatches: [{ path: "", message: "too many problems to list" }], cause };
  }
}

/** Returns the error of the schema library, or only a count if it would print a long list. */
function summary(error: { readonly issues: readonly unknown[] }): unknown {
  return error.issues.length <= MAX_LISTED ? error : new Error(`${error.issues.length} mismatches with the contract`);
}

/** Reads a body without a schema: an empty one as undefined, JSON by its content type, anything else as text. */
export function readUnchecked(text: string, response: TransportResponse): Reading {
  if (text === "") return { value: undefined, mismatches: undefined };
  return isJson(response) ? parseJson(text) : { value: text, mismatches: undefined };
}

/** Parses JSON. Returns the text and a mismatch if it is invalid. */
export function parseJson(text: string): Reading {
  try {
    return { value: JSON.parse(text), mismatches: undefined };
  } catch (error) {
    return { value: text, mismatches: [{ path: "", message: notJson(text) }], cause: withoutSnippet(error) };
  }
}

/** Removes the quotation of the text that engines put into the message, since it may contain part of a secret. */
function withoutSnippet(error: unknown): SyntaxError {
  const [position] = / at (?:position|line) \d+.*$/.exec((error as Error).message) ?? [""];
  return new SyntaxError(`The body is not valid JSON${position}`);
}

function notJson(text: string): string {
  if (text.trim() === "") return "expected JSON, received nothing";
  if (/^\s*</.test(text)) return "expected JSON, received HTML or XML";
  return /^\s*[[{"]/.test(text) ? "expected JSON, received invalid JSON" : "expected JSON, received other text";
}

function isJson(response: TransportResponse): boolean {
  return /[/+]json\b/i.test(response.headers.get("content-type") ?? "");
}
