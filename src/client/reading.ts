import type { Schema } from "../contract/index.ts";
import { flattenIssues } from "../contract/issues.ts";
import type { Mismatch } from "../errors/index.ts";
import { describeIssue } from "./mismatches.ts";

/** What became of the body of an answer. */
export interface Reading {
  /** The body: parsed JSON, else text. */
  readonly value: unknown;
  /** The places that do not fit; undefined when all do. */
  readonly mismatches?: readonly Mismatch[];
  /** The failure behind a mismatch. */
  readonly cause?: unknown;
}

/** Reads the body of a successful answer. */
export type Reader = (text: string, response: Response) => Reading;

/** Reads JSON that must fit a schema. The value is given as it came: fields that the schema does not know stay in it. */
export function readChecked(schema: Schema): Reader {
  return (text) => {
    const reading = parseJson(text);
    if (reading.mismatches !== undefined) return reading;
    const { value } = reading;
    const result = schema.safeParse(value);
    if (result.success) return reading;
    return { value, mismatches: flattenIssues(result.error.issues, value).map(describeIssue), cause: result.error };
  };
}

/** Reads what no schema describes: nothing as undefined, what calls itself JSON as JSON, the rest as text. */
export function readUnchecked(text: string, response: Response): Reading {
  if (text === "") return { value: undefined };
  return isJson(response) ? parseJson(text) : { value: text };
}

/** Reads JSON, and keeps the text where it is none. */
export function parseJson(text: string): Reading {
  try {
    return { value: JSON.parse(text) };
  } catch (cause) {
    return { value: text, mismatches: [{ path: "", message: notJson(text) }], cause };
  }
}

function notJson(text: string): string {
  if (text.trim() === "") return "expected JSON, received nothing";
  if (/^\s*</.test(text)) return "expected JSON, received HTML or XML";
  return /^\s*[[{"]/.test(text) ? "expected JSON, received broken JSON" : "expected JSON, received other text";
}

function isJson(response: Response): boolean {
  return /[/+]json\b/i.test(response.headers.get("content-type") ?? "");
}
