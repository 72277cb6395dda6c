/** Whether a JSON text is nested deeper than so many levels: a program may run out of stack where it walks through it. */
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
