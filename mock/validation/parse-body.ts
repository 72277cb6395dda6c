import { toJson } from "../../src/values/json.ts";
import type { Assumptions } from "../assumptions/assumptions.ts";
import { deepFreeze } from "../options/field-types.ts";
import type { Problem } from "./problems.ts";

/** The body of a request before it is parsed. */
export interface BodyText {
  /** Empty or undefined for a request without a body. */
  readonly text: string | undefined;
  /** Whether the bytes of the body are not UTF-8. */
  readonly isGarbled: boolean;
  /** The `Content-Type` header; null when it was not sent. */
  readonly contentType: string | null;
}

/** A parsed body, or its problem. */
export type ParsedBody = { readonly value: unknown } | { readonly problem: Problem };

/** The maximum nesting depth of a body, and of a record or a fault that a test passes (G-DEPTH). */
const MAX_DEPTH = 200;

/** Parses a JSON body. */
export function parseBody({ text, isGarbled, contentType }: BodyText, assumptions: Assumptions): ParsedBody {
  if (!text) return { problem: { loc: ["body"], msg: "Field required", type: "missing" } };
  const problem = contentTypeProblem(contentType);
  if (problem) return { problem };
  if (isGarbled) return notJson("The body is neither UTF-8 nor gzip with `Content-Encoding: gzip`");
  try {
    const value: unknown = JSON.parse(text);
    const reason = rejectionOf(value, assumptions);
    return reason === undefined ? { value } : notJson(reason);
  } catch (error) {
    // The message of V8 quotes the text around the error, which may be secret.
    return notJson((error as Error).message.replace(/,? (?:\.\.\.)?".*/s, ""));
  }
}

/** With the flag `u`, a surrogate matches only outside a pair. */
const UNSTORABLE = /\0|[\uD800-\uDFFF]/u;

/** Returns the reason why the mock does not accept a parsed value; undefined if it does. */
function rejectionOf(value: unknown, assumptions: Assumptions, levels: number = MAX_DEPTH): string | undefined {
  if (typeof value === "string" && assumptions.unstorableText === "reject" && UNSTORABLE.test(value))
    return "A string has NUL or half of a surrogate pair";
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return "A number is out of range";
  if (typeof value !== "object" || value === null) return undefined;
  if (levels === 0) return `Nested deeper than ${MAX_DEPTH} levels`;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    const reason = rejectionOf(inner, assumptions, levels - 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function contentTypeProblem(type: string | null): Problem | undefined {
  if (type !== null && /^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type)) return undefined;
  const msg = "Content-Type should be application/json";
  return { loc: ["header", "content-type"], msg, type: "value_error", ...(type === null ? {} : { input: type }) };
}

function notJson(error: string): { problem: Problem } {
  return { problem: { loc: ["body"], msg: "JSON decode error", type: "json_invalid", ctx: { error } } };
}

/**
 * Copies a JSON value and freezes the copy at every level. Fields that are undefined are left out, and dates become strings.
 *
 * @param place Where the value stands, for messages.
 * @throws TypeError when JSON has no form for the value or for a part of it, and when it is nested too deeply.
 */
export function frozenJson(value: unknown, place: string): unknown {
  const copy: unknown = JSON.parse(toJson(value, place));
  if (isTooDeep(copy)) throw new TypeError(`${place} is nested too deeply.`);
  return deepFreeze(copy);
}

/** Returns whether a value is nested deeper than a body may be. Walking through such a value may overflow the stack. */
export function isTooDeep(value: unknown, levels: number = MAX_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1));
}
