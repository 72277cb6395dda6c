/** The content of a table at some moment. It never changes, because the next write to the table copies it. */
export type TableSnapshot<Value> = ReadonlyMap<string, Value>;

/** Stores values by key, in insertion order. A snapshot shares the rows until the next write. */
export class Table<Value> {
  #rows: Map<string, Value> = new Map();
  /** True while a snapshot has the same map. */
  #isShared = false;
  #revision = 0;
  #list: readonly Value[] | undefined;

  get size(): number {
    return this.#rows.size;
  }

  /** A number that changes with every write and every load, and never repeats. */
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
    this.#writable().set(key, value);
  }

  addAll(added: ReadonlyMap<string, Value>): void {
    if (added.size === 0) return;
    const rows = this.#writable();
    for (const [key, value] of added) rows.set(key, value);
  }

  delete(key: string): boolean {
    return this.has(key) && this.#writable().delete(key);
  }

  /** All values, oldest first. */
  list(): readonly Value[] {
    this.#list ??= Object.freeze([...this.#rows.values()]);
    return this.#list;
  }

  /** All keys and values, oldest first. */
  entries(): IterableIterator<[string, Value]> {
    return this.#rows.entries();
  }

  save(): TableSnapshot<Value> {
    this.#isShared = true;
    return this.#rows;
  }

  load(snapshot: TableSnapshot<Value>): void {
    this.#rows = snapshot as Map<string, Value>;
    this.#isShared = true;
    this.#changed();
  }

  /** Returns the rows for a write. */
  #writable(): Map<string, Value> {
    if (this.#isShared) this.#rows = new Map(this.#rows);
    this.#isShared = false;
    this.#changed();
    return this.#rows;
  }

  #changed(): void {
    this.#revision += 1;
    this.#list = undefined;
  }
}
