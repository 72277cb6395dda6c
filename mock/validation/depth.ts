/** Returns whether a JSON text is nested deeper than `levels`. Walking through such a value may overflow the stack. */
export function isDeeper(text: string, levels: number): boolean {
  if (text.length <= 2 * levels) return false;
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (quoted) {
      if (character === "\\") i++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth--;
    if (depth > levels) return true;
  }
  return false;
}

/**
 * Returns whether a JSON text has more than `values` names and values. A parsed list of small objects takes up to twenty
 * times the memory of its text. Counts the structural characters that begin a name or value (RFC 8259, section 2).
 */
export function isLarger(text: string, values: number): boolean {
  if (text.length <= values) return false;
  let count = 0;
  let quoted = false;
  for (let i = 0; i < text.length && count <= values; i++) {
    const code = text.charCodeAt(i);
    if (quoted) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) quoted = false;
    } else if (code === QUOTE) quoted = true;
    else if (code === COMMA || code === COLON || code === BRACE || code === BRACKET) count++;
  }
  return count > values;
}

const [BACKSLASH, QUOTE, COMMA, COLON, BRACE, BRACKET] = [0x5c, 0x22, 0x2c, 0x3a, 0x7b, 0x5b];
