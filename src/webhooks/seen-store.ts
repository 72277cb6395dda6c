/**
 * Stores which events were handled, for `seen`. Every Keyv instance is one. Keys and values are strings; a value is gone
 * after its time to live (`ttl`), in milliseconds.
 */
export interface SeenStore {
  /** Returns the value of a key, or undefined. */
  get(key: string): unknown;
  /** Stores a value. `false` means that it failed. */
  set(key: string, value: string, ttl: number): unknown;
  delete(key: string): unknown;
  /**
   * Stores a value unless the key has one, in one atomic step, and returns whether it did; in Redis, `SET` with `NX`. Keyv
   * has no such method. Without it, each event waits for `settleMs`.
   */
  add?(key: string, value: string, ttl: number): boolean | Promise<boolean>;
}
