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
    const [oldest] = entries.keys();
    if (entries.size > MOST && oldest !== undefined) entries.delete(oldest);
  };
  const add = (key: string, value: string, ttl: number) => {
    if (get(key) !== undefined) return false;
    set(key, value, ttl);
    return true;
  };
  return { get, set, add, delete: (key) => entries.delete(key) };
}
