/** Maximum length of a body that is kept as a whole. Parsing a longer one would keep other requests waiting. */
const MAX_CHARACTERS = 1024 * 1024;

/** The number of characters that are kept of a longer body. */
const KEPT_CHARACTERS = 10_000;

/** Returns what the journal keeps of a body: the body itself, or the beginning of a very long one. */
export function keptBody(text: string | undefined): string | undefined {
  if (text === undefined || text.length <= MAX_CHARACTERS) return text;
  return copyOf(`${text.slice(0, KEPT_CHARACTERS)}… (the first ${KEPT_CHARACTERS} of ${text.length} characters)`);
}

/** Copies a string, because a part of a string keeps the whole one in memory. */
export function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text));
}
