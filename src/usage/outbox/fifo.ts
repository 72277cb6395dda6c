/** The number of removed items after which the array is shortened. */
const SHORTEN = 4_096;

/** A queue whose operations take constant time on average. */
export class Fifo<Item> {
  #items: (Item | undefined)[] = [];
  #head = 0;

  /** The number of items. */
  get size(): number {
    return this.#items.length - this.#head;
  }

  /** Adds an item at the end. */
  push(item: Item): void {
    this.#items.push(item);
  }

  /** Returns the first item without removing it; undefined if there is none. */
  peek(): Item | undefined {
    return this.#items[this.#head];
  }

  /** Removes and returns the first item; undefined if there is none. */
  shift(): Item | undefined {
    const item = this.#items[this.#head];
    if (this.size === 0) return undefined;
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head >= SHORTEN && this.#head * 2 >= this.#items.length) this.#shorten();
    return item;
  }

  /** Iterates over the items, the first one first. */
  *[Symbol.iterator](): Generator<Item> {
    for (let index = this.#head; index < this.#items.length; index++) yield this.#items[index] as Item;
  }

  #shorten(): void {
    this.#items = this.#items.slice(this.#head);
    this.#head = 0;
  }
}
