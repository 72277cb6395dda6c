import { atOnce, type Work } from "../time/in-slices.ts";

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c] as const;
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/** The measures of a JSON text before it is parsed. */
export interface JsonMeasure {
  /** The limit that the text exceeds first; undefined when it exceeds none. */
  readonly exceeded?: "levels" | "values" | undefined;
  /** The number of names and values, when the text exceeds no limit. A short text is not counted. */
  readonly values: number;
}

/** Maximum number of characters to read before a pause: a few milliseconds of work. */
export const CHARACTERS_AT_ONCE = 256 * 1024;

/**
 * Measures a JSON text before it is parsed. Walking through a value that is nested too deeply may overflow the stack, and a
 * list of small objects takes up to twenty times the memory of its text. Values and names are counted by the characters
 * that begin one (RFC 8259, section 2).
 *
 * @param levels The maximum nesting depth.
 * @param values The maximum number of names and values.
 */
export function* measureJson(text: string, levels: number, values: number): Work<JsonMeasure> {
  const { length } = text;
  if (length <= 2 * levels && length <= values) return { values: 0 };
  const reading = { place: 0, depth: 0, count: 0 };
  for (;;) {
    const exceeded = readPart(text, reading, levels, values);
    if (exceeded || reading.place >= length) return { exceeded, values: reading.count };
    yield;
  }
}

/** Returns whether a JSON text is nested deeper than `levels`. */
export function isDeeper(text: string, levels: number): boolean {
  return atOnce(measureJson(text, levels, Number.POSITIVE_INFINITY)).exceeded !== undefined;
}

/** A position in the JSON, and what was found before it. */
interface Reading {
  place: number;
  depth: number;
  count: number;
}

/** Reads the next part of the JSON. A string that starts in it is read to its end. */
function readPart(text: string, reading: Reading, levels: number, values: number): JsonMeasure["exceeded"] {
  const end = Math.min(text.length, reading.place + CHARACTERS_AT_ONCE);
  let { place, depth, count } = reading;
  for (; place < end; place++) {
    const code = text.charCodeAt(place);
    if (code === QUOTE) place = endOfString(text, place + 1);
    else if (code === COMMA || code === COLON) count++;
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth++;
      count++;
      if (depth > levels) return "levels";
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth--;
    if (count > values) return "values";
  }
  Object.assign(reading, { place, depth, count });
  return undefined;
}

/** Returns the place of the quote that ends a string. A search is much faster than a look at every character. */
function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start);
  if (end === -1) return text.length;
  return text.charCodeAt(end - 1) === BACKSLASH ? endOfEscapedString(text, start) : end;
}

function endOfEscapedString(text: string, start: number): number {
  let end = start;
  while (end < text.length && text.charCodeAt(end) !== QUOTE) end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
  return end;
}
