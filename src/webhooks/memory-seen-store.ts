import { evictOldest } from "./evict-oldest.ts";
import type { SeenStore } from "./seen-store.ts";

/** The maximum number of keys. */
const MOST = 20_000;

/** Creates a store in the memory of this process. It forgets the oldest keys when it has 20,000. */
export function memorySeenStore(): SeenStore {
  const entries = new Map<string, { readonly value: string; readonly expires: number }>();
  const get = (key: string) => {
    const entry = entries.get(key);
    return entry && entry.expires > Date.now() ? entry.value : undefined;
  };
  const set = (key: string, value: string, ttl: number) => {
    entries.delete(key);
    entries.set(key, { value, expires: Date.now() + ttl });
    evictOldest(entries, MOST);
  };
  // A handler runs an event once at a time, and no other handler has this store: a claim needs no entry.
  return { get, set, add: () => true, delete: (key) => entries.delete(key) };
}
