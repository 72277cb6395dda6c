/** The codes of characters that have a meaning in JSON (RFC 8259, section 2). */
const [QUOTE, COMMA, COLON, BACKSLASH, BRACKET, BRACE] = [0x22, 0x2c, 0x3a, 0x5c, 0x5b, 0x7b] as const;

/**
 * Counts the names and values of a JSON text by the characters that begin one, before anything is allocated for them. Stops
 * above a limit.
 */
export function countValues(text: string, most: number): number {
  let values = 0;
  let isString = false;
  for (let place = 0; place < text.length && values <= most; place++) {
    const code = text.charCodeAt(place);
    if (code === BACKSLASH) place++;
    else if (code === QUOTE) isString = !isString;
    else if (isString) continue;
    else if (code === COMMA || code === COLON || code === BRACKET || code === BRACE) values++;
  }
  return values;
}
