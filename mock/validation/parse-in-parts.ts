import type { Work } from "../time/in-slices.ts";
import { JsonReader } from "./json-reader.ts";

/** The number of characters that are parsed without a pause: a few milliseconds of work. */
const CHARACTERS_AT_ONCE = 64 * 1024;

/** Limits of a JSON text. */
export interface JsonLimits {
  /** The maximum nesting depth. Walking through a value that is nested too deeply may overflow the stack. */
  readonly levels: number;
  /** The maximum number of names and values. A list of small objects takes up to twenty times the memory of its text. */
  readonly values: number;
}

/** A value with the number of its names and values, or the limit that the text exceeds first. A short text is not counted. */
export type ParsedJson =
  | { readonly value: unknown; readonly values: number }
  | { readonly exceeded: "levels" | "values" };

/**
 * Parses a JSON text as `JSON.parse` does, within limits, and pauses regularly for other requests: to parse half a million
 * different names takes half a second.
 *
 * @throws SyntaxError if the text is not valid.
 */
export function* parseInParts(
  text: string,
  { levels, values }: JsonLimits,
  charactersAtOnce: number = CHARACTERS_AT_ONCE,
): Work<ParsedJson> {
  const { length } = text;
  const isShort = length <= 2 * levels && length <= values && length <= charactersAtOnce;
  if (isShort) return { value: JSON.parse(text), values: 0 };
  const reader = new JsonReader(text, charactersAtOnce);
  for (;;) {
    reader.readPart(levels, values);
    if (reader.exceeded) return { exceeded: reader.exceeded };
    if (reader.isAtEnd) break;
    yield;
  }
  return { value: reader.value, values: reader.count };
}
