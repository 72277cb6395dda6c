import { readFileSync, writeFileSync } from "node:fs";

/** How the search of TypeDoc writes the edges of a node of its index, which it compares to merge equal nodes. */
const ambiguous = /(\w+)=\1\+(\w+)\+(\w+)\.id\}return \1\}/g;

/**
 * Separates the edges that the search compares. Without it, a digit and an id can read like another digit and another id,
 * so nodes that differ are merged, and a search for a number can fail on a word that is in no page.
 *
 * @throws Error if the script is not the expected one.
 */
export function repairSearch(file: string): void {
  const script = readFileSync(file, "utf8");
  const found = script.match(ambiguous)?.length ?? 0;
  if (found !== 1) throw new Error(`${file}: expected one place that writes the edges of a node, found ${found}.`);
  writeFileSync(file, script.replace(ambiguous, '$1=$1+$2+$3.id+","}return $1}'));
}
