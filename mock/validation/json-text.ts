/** The codes of characters that have a meaning in JSON (RFC 8259, section 2). */
export const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c] as const;
/** The codes of the characters that open and close objects and lists. */
export const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Returns the place of the quote that ends a string, or the length of the text if there is none. A search is much faster
 * than a look at every character.
 *
 * @param start The place after the quote that begins the string.
 */
export function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start);
  if (end === -1) return text.length;
  return text.charCodeAt(end - 1) === BACKSLASH ? endOfEscapedString(text, start) : end;
}

function endOfEscapedString(text: string, start: number): number {
  let end = start;
  while (end < text.length && text.charCodeAt(end) !== QUOTE) end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
  return end;
}

/** Returns the first place from `start` that is not blank, at most `end`. */
export function skipBlanks(text: string, start: number, end: number): number {
  let place = start;
  while (place < end && BLANKS.has(text.charCodeAt(place))) place++;
  return place;
}
