/** Deletes the oldest entry of a map that has more than `most`. */
export function evictOldest<Key>(map: Map<Key, unknown>, most: number): void {
  if (map.size > most) map.delete(map.keys().next().value as Key);
}
