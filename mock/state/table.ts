/** What a table held at some moment. It is never changed afterwards. */
export type TableSnapshot<Value> = ReadonlyMap<string, Value>;

/**
 * Values by key, in the order in which they came. Saving and loading take constant time: the rows are shared with the
 * snapshot, and copied when the table is next written to.
 */
export class Table<Value> {
  #rows = new Map<string, Value>();
  #shared = false;
  #revision = 0;
  #follower: ((value: Value) => void) | undefined;
  #list: readonly Value[] | undefined;

  get size(): number {
    return this.#rows.size;
  }

  /** A number that changes with every write and every load, and never comes back. */
  get revision(): number {
    return this.#revision;
  }

  get(key: string): Value | undefined {
    return this.#rows.get(key);
  }

  has(key: string): boolean {
    return this.#rows.has(key);
  }

  set(key: string, value: Value): void {
    this.#own().set(key, value);
    this.#follower?.(value);
  }

  /** Tells a function of every row that is set from now on; of other changes, only the revision tells. */
  follow(follower: (value: Value) => void): void {
    this.#follower = follower;
  }

  delete(key: string): boolean {
    return this.#rows.has(key) && this.#own().delete(key);
  }

  /** All values, oldest first. */
  list(): readonly Value[] {
    this.#list ??= Object.freeze([...this.#rows.values()]);
    return this.#list;
  }

  /** All keys and values, oldest first, without a copy of them. */
  entries(): IterableIterator<[string, Value]> {
    return this.#rows.entries();
  }

  save(): TableSnapshot<Value> {
    this.#shared = true;
    return this.#rows;
  }

  load(snapshot: TableSnapshot<Value>): void {
    this.#rows = snapshot as Map<string, Value>;
    this.#shared = true;
    this.#revision += 1;
    this.#list = undefined;
  }

  #own(): Map<string, Value> {
    if (this.#shared) this.#rows = new Map(this.#rows);
    this.#shared = false;
    this.#revision += 1;
    this.#list = undefined;
    return this.#rows;
  }
}
