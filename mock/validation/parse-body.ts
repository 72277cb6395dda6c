import type { Work } from "../time/in-slices.ts";
import type { BodyPolicy } from "./body-policy.ts";
import { type ParsedJson, parseInParts } from "./parse-in-parts.ts";
import type { Problem } from "./problem.ts";

/** The body of a request before it is parsed. */
export interface BodyText {
  /** Empty or undefined for a request without a body. */
  readonly text: string | undefined;
  /** Whether the bytes of the body are not UTF-8. */
  readonly isGarbled: boolean;
  /** The `Content-Type` header; null when it was not sent. */
  readonly contentType: string | null;
}

/** A parsed body with the approximate number of bytes that it takes in memory, or the reason why it cannot be parsed. */
export type ParsedBody = { readonly value: unknown; readonly bytes: number } | { readonly problem: Problem };

/** The approximate memory of a name or a value in addition to its characters, in bytes. */
const BYTES_PER_VALUE = 16;

/** Parses a JSON body, within the limits of the policy. */
export function* parseBody({ text, isGarbled, contentType }: BodyText, policy: BodyPolicy): Work<ParsedBody> {
  const { maxBodyDepth, maxBodyValues } = policy;
  if (!text) return { problem: { loc: ["body"], msg: "Field required", type: "missing" } };
  const problem = contentTypeProblem(contentType, policy);
  if (problem) return { problem };
  if (isGarbled) return notJson("The body is not UTF-8");
  try {
    return bodyOf(yield* parseInParts(text, { levels: maxBodyDepth, values: maxBodyValues }), text, policy);
  } catch (error) {
    return notJson((error as Error).message);
  }
}

function bodyOf(json: ParsedJson, text: string, { maxBodyDepth, maxBodyValues }: BodyPolicy): ParsedBody {
  if ("value" in json) return { value: json.value, bytes: text.length + BYTES_PER_VALUE * json.values };
  if (json.exceeded === "levels") return notJson(`Nested deeper than ${maxBodyDepth} levels`);
  return notJson(`More than ${maxBodyValues} names and values`);
}

function contentTypeProblem(type: string | null, { otherContentTypes }: BodyPolicy): Problem | undefined {
  if (otherContentTypes === "accept") return undefined;
  if (type !== null && /^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type)) return undefined;
  const msg = "Content-Type should be application/json";
  return { loc: ["header", "content-type"], msg, type: "value_error", ...(type === null ? {} : { input: type }) };
}

function notJson(error: string): { problem: Problem } {
  return { problem: { loc: ["body"], msg: "JSON decode error", type: "json_invalid", ctx: { error } } };
}
