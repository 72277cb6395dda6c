/** How deep a JSON body may be nested; no operation needs more than four levels. */
export const MAX_DEPTH = 200;

/** Whether a JSON text is nested so deeply that a program may run out of stack where it walks through the value. */
export function isDeep(text: string): boolean {
  if (text.length <= 2 * MAX_DEPTH) return false;
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
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
