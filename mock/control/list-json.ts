import type { Work } from "../time/in-slices.ts";

/** The number of characters between two pauses. */
const CHARACTERS_AT_ONCE = 64 * 1024;

/** A list as JSON, and the number of its items. */
export interface ListJson {
  readonly json: string;
  readonly count: number;
}

/**
 * Converts a list to JSON, and pauses regularly for other requests.
 *
 * @param maxCharacters Leaves out the items after so many characters, but never the first item.
 */
export function* listJson(items: Iterable<unknown>, maxCharacters = Number.POSITIVE_INFINITY): Work<ListJson> {
  const written: string[] = [];
  let characters = 0;
  let sincePause = 0;
  for (const item of items) {
    const json = JSON.stringify(item);
    characters += json.length + 1;
    if (written.length > 0 && characters > maxCharacters) break;
    written.push(json);
    sincePause += json.length;
    if (sincePause < CHARACTERS_AT_ONCE) continue;
    sincePause = 0;
    yield;
  }
  return { json: `[${written.join()}]`, count: written.length };
}
