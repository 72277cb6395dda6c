import { CLOSE_BRACE, CLOSE_BRACKET, endOfString, OPEN_BRACE, OPEN_BRACKET, QUOTE } from "./json-text.ts";

/** Returns whether a JSON text is nested deeper than `levels`. Walking through such a value may overflow the stack. */
export function isDeeper(text: string, levels: number): boolean {
  if (text.length <= 2 * levels) return false;
  let depth = 0;
  for (let place = 0; place < text.length && depth <= levels; place++) {
    const code = text.charCodeAt(place);
    if (code === QUOTE) place = endOfString(text, place + 1);
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) depth++;
    else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth--;
  }
  return depth > levels;
}
