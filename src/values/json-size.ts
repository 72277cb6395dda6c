/** The codes of characters that have a meaning in JSON (RFC 8259, section 2). */
const [QUOTE, BACKSLASH] = [0x22, 0x5c] as const;

/** The characters that begin a name or a value, besides the first: `,`, `:`, `[` and `{`. */
const BEGINNINGS: readonly number[] = [0x2c, 0x3a, 0x5b, 0x7b];

/** Counts the names and values of a JSON text, before anything is allocated for them. Stops above a limit. */
export function countValues(text: string, most: number): number {
  let values = 0;
  let isString = false;
  for (let place = 0; place < text.length && values <= most; place++) {
    const code = text.charCodeAt(place);
    if (code === BACKSLASH) place++;
    else if (code === QUOTE) isString = !isString;
    else if (!isString && BEGINNINGS.includes(code)) values++;
  }
  return values;
}
