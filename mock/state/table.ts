import { type Layer, layerOf, lookUp, pushLayer, rowsOf } from "./layers.ts";
import { RowWalks } from "./row-walks.ts";
import { Transaction } from "./transaction.ts";

/** The content of a table at some moment: layers that never change, which later snapshots share. */
export interface TableSnapshot<Value> {
  readonly layers: readonly Layer<Value>[];
  readonly size: number;
}

/**
 * Stores values by key, in insertion order. The cost of saving and loading depends only on the writes since the last time,
 * because writes go into a new layer and snapshots share the layers below it.
 */
export class Table<Value> {
  readonly #transaction: Transaction;
  #below: readonly Layer<Value>[] = [];
  #top: Layer<Value> = layerOf();
  #size = 0;
  #revision = 0;
  #follower: ((rows: ReadonlyMap<string, Value>) => void) | undefined;
  #list: readonly Value[] | undefined;
  readonly #walks = new RowWalks<Value>(this);

  /** @param transaction Records the writes that a failure undoes. */
  constructor(transaction: Transaction = new Transaction()) {
    this.#transaction = transaction;
  }

  get size(): number {
    return this.#size;
  }

  /** A number that changes with every write and every load, and never repeats. */
  get revision(): number {
    return this.#revision;
  }

  get(key: string): Value | undefined {
    const { rows, dropped } = this.#top;
    const value = rows.size > 0 ? rows.get(key) : undefined;
    if (value !== undefined || this.#below.length === 0 || (dropped.size > 0 && dropped.has(key))) return value;
    return lookUp(this.#below, key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: Value): void {
    const { rows } = this.#top;
    const before = rows.get(key);
    if (this.#transaction.open) this.#recordSet(key, before);
    if (before === undefined && (this.#below.length === 0 || !this.has(key))) this.#size += 1;
    rows.set(key, value);
    this.#changed();
    this.#follower?.(new Map([[key, value]]));
  }

  hasAny(keys: Iterable<string>): boolean {
    for (const key of keys) if (this.has(key)) return true;
    return false;
  }

  /**
   * Adds rows whose keys are new. Costs less than setting one after the other, and nothing for an empty table: it keeps
   * the map itself, which the caller must not use later.
   */
  addAll(added: Map<string, Value>): void {
    if (added.size === 0) return;
    if (this.#size === 0 && this.#below.length === 0) this.#adopt(added);
    else this.#append(added);
    this.#size += added.size;
    this.#changed();
    this.#follower?.(added);
  }

  /** Calls a function with the rows of every write from now on. Other changes only change the revision. */
  follow(follower: (rows: ReadonlyMap<string, Value>) => void): void {
    this.#follower = follower;
  }

  delete(key: string): boolean {
    if (!this.has(key)) return false;
    if (this.#transaction.open) this.#recordDelete();
    this.#top.rows.delete(key);
    if (lookUp(this.#below, key) !== undefined) this.#top.dropped.add(key);
    this.#size -= 1;
    this.#reordered();
    return true;
  }

  /** All values, oldest first. */
  list(): readonly Value[] {
    this.#list ??= Object.freeze(Array.from(this.entries(), ([, value]) => value));
    return this.#list;
  }

  /** All keys and values, oldest first, without a copy of them. */
  entries(): IterableIterator<[string, Value]> {
    return this.#below.length === 0 ? this.#top.rows.entries() : rowsOf([...this.#below, this.#top]);
  }

  /** Yields the rows after a key, oldest first, or all rows without a key. */
  entriesAfter(key: string | undefined): Iterable<[string, Value]> {
    return this.#walks.after(key);
  }

  save(): TableSnapshot<Value> {
    if (this.#top.rows.size > 0 || this.#top.dropped.size > 0) {
      this.#walks.clear();
      this.#below = pushLayer(this.#below, this.#top, this.#size);
      this.#top = layerOf();
    }
    return { layers: this.#below, size: this.#size };
  }

  load({ layers, size }: TableSnapshot<Value>): void {
    if (this.#top.rows.size > 0 || this.#top.dropped.size > 0) this.#top = layerOf();
    this.#below = layers;
    this.#size = size;
    this.#reordered();
  }

  #adopt(rows: Map<string, Value>): void {
    if (this.#transaction.open) this.#recordAdopted();
    this.#walks.clear();
    this.#top = { rows, dropped: new Set() };
  }

  #append(added: ReadonlyMap<string, Value>): void {
    if (this.#transaction.open) this.#recordAdded(added);
    const { rows } = this.#top;
    for (const [key, value] of added) rows.set(key, value);
  }

  #changed(): void {
    this.#revision += 1;
    this.#list = undefined;
  }

  #reordered(): void {
    this.#walks.clear();
    this.#changed();
  }

  #recordSet(key: string, before: Value | undefined): void {
    const size = this.#size;
    this.#transaction.onUndo(() => {
      if (before === undefined) this.#top.rows.delete(key);
      else this.#top.rows.set(key, before);
      this.#size = size;
      this.#reordered();
    });
  }

  #recordAdopted(): void {
    this.#transaction.onUndo(() => {
      this.#top = layerOf();
      this.#size = 0;
      this.#reordered();
    });
  }

  #recordAdded(added: ReadonlyMap<string, Value>): void {
    const size = this.#size;
    this.#transaction.onUndo(() => {
      for (const key of added.keys()) this.#top.rows.delete(key);
      this.#size = size;
      this.#reordered();
    });
  }

  /** Records the whole layer, because restoring only the row would change the order. */
  #recordDelete(): void {
    const { rows, dropped } = this.#top;
    const [before, size] = [layerOf(rows, dropped), this.#size];
    this.#transaction.onUndo(() => {
      this.#top = before;
      this.#size = size;
      this.#reordered();
    });
  }
}
