/**
 * Returns the name that was probably meant: the most similar one, when at most a third of its characters differ.
 *
 * @returns Undefined when no name is similar enough.
 */
export function closestName(given: string, names: readonly string[]): string | undefined {
  const ranked = names.map((name) => ({ name, distance: distanceBetween(given.toLowerCase(), name.toLowerCase()) }));
  const [closest] = ranked.sort((a, b) => a.distance - b.distance);
  return closest && closest.distance <= Math.max(1, closest.name.length / 3) ? closest.name : undefined;
}

const MAX_LENGTH = 100;

/** Counts the characters to insert, delete, replace or swap (optimal string alignment distance). */
function distanceBetween(one: string, other: string): number {
  if (one.length > MAX_LENGTH || other.length > MAX_LENGTH) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwap ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(at(previous, j) + 1, at(row, j - 1) + 1, at(previous, j - 1) + cost, swapped));
    }
    [before, previous] = [previous, row];
  }
  return at(previous, other.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
