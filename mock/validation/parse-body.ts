import type { Assumptions } from "../assumptions/assumptions.ts";
import type { Problem } from "./problems.ts";
import { toJson } from "./to-json.ts";

/** The body of a request before it is parsed. */
export interface BodyText {
  /** Empty or undefined for a request without a body. */
  readonly text: string | undefined;
  /** Whether the bytes of the body are not UTF-8. */
  readonly isGarbled: boolean;
  /** The `Content-Type` header; null when it was not sent. */
  readonly contentType: string | null;
}

/** A parsed body, or the reason why it is not parsed: it is not valid, or it is too large in another way than its bytes. */
export type ParsedBody = { readonly value: unknown } | { readonly problem: Problem } | { readonly tooLarge: string };

/** The maximum nesting depth of a body, and of a record or a fault that a test passes (G-DEPTH). */
export const MAX_DEPTH = 200;
/** The maximum number of names and values in a body (G-VALUES). */
const MAX_VALUES = 400_000;

/** Parses a JSON body, within the limits. */
export function parseBody({ text, isGarbled, contentType }: BodyText, assumptions: Assumptions): ParsedBody {
  if (!text) return { problem: { loc: ["body"], msg: "Field required", type: "missing" } };
  const problem = contentTypeProblem(contentType, assumptions);
  if (problem) return { problem };
  if (isGarbled) return notJson("The body is not UTF-8; the mock does not decode Content-Encoding");
  const { depth, values } = measureJson(text, MAX_DEPTH, MAX_VALUES);
  if (depth > MAX_DEPTH) return notJson(`Nested deeper than ${MAX_DEPTH} levels`);
  if (values > MAX_VALUES) return { tooLarge: `The body has more than ${MAX_VALUES} names and values.` };
  try {
    return { value: JSON.parse(text, MAY_HOLD_PROTO.test(text) ? rejectProto : undefined) as unknown };
  } catch (error) {
    // The message of V8 quotes the text around the error, which may be secret.
    return notJson((error as Error).message.replace(/,? (?:\.\.\.)?".*/s, ""));
  }
}

/** Matches the name `__proto__`, or an escape of one of its characters. */
const MAY_HOLD_PROTO = /"__proto__"\s*:|\\u00[5-7]/;

/** Rejects a field named `__proto__` (G-PROTO). */
function rejectProto(name: string, value: unknown): unknown {
  if (name === "__proto__") throw new TypeError("The name __proto__ is not allowed");
  return value;
}

function contentTypeProblem(type: string | null, { otherContentTypes }: Assumptions): Problem | undefined {
  if (otherContentTypes === "accept") return undefined;
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
  const json = toJson(value, place);
  if (isDeeper(json, MAX_DEPTH)) throw new TypeError(`${place} is nested too deeply.`);
  return JSON.parse(json, (_name, part) => Object.freeze(part));
}

/** Returns whether a JSON text is nested deeper than `levels`. Walking through such a value may overflow the stack. */
export function isDeeper(text: string, levels: number): boolean {
  return measureJson(text, levels, Number.POSITIVE_INFINITY).depth > levels;
}

/** The codes of characters that have a meaning in JSON (RFC 8259, section 2). */
const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c] as const;
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/**
 * Measures the nesting of a JSON text, and counts its names and values by the characters that begin one, before anything is
 * allocated for them (G-DEPTH, G-VALUES). Stops above a limit. A text that cannot exceed one is not measured.
 */
function measureJson(text: string, levels: number, maxValues: number): { depth: number; values: number } {
  if (text.length <= 2 * levels && text.length <= maxValues) return { depth: 0, values: 0 };
  let [depth, deepest, values] = [0, 0, 0];
  for (let place = 0; place < text.length && deepest <= levels && values <= maxValues; place++) {
    const code = text.charCodeAt(place);
    if (code === QUOTE) place = endOfString(text, place + 1);
    else if (code === COMMA || code === COLON) values++;
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      values++;
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth--;
  }
  return { depth: deepest, values };
}

/** Returns the place of the quote that ends a string, or the length of the text if there is none. */
function endOfString(text: string, start: number): number {
  // A search is much faster than a look at every character.
  let end = text.indexOf('"', start);
  if (end === -1) return text.length;
  if (text.charCodeAt(end - 1) !== BACKSLASH) return end;
  end = start;
  while (end < text.length && text.charCodeAt(end) !== QUOTE) end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
  return end;
}
