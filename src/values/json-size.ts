/** The codes of characters that have a meaning in JSON (RFC 8259, section 2). */
const [QUOTE, COMMA, COLON, BACKSLASH, BRACKET, BRACE] = [0x22, 0x2c, 0x3a, 0x5c, 0x5b, 0x7b] as const;

/**
 * Counts the names and values of a JSON text by the characters that begin one, before anything is allocated for them. Stops
 * above a limit.
 */
export function countValues(text: string, most: number): number {
  let values = 0;
  for (let place = 0; place < text.length && values <= most; place++) {
    const code = text.charCodeAt(place);
    if (code === QUOTE) place = endOfString(text, place + 1);
    else if (code === COMMA || code === COLON || code === BRACKET || code === BRACE) values++;
  }
  return values;
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
