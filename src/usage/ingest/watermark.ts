/** Finds the number of events at the beginning of a source that are all settled, while batches settle in any order. */
export class Watermark {
  readonly #ranges = new Map<number, number>();
  #settled = 0;

  /** The number of events before the first one that is not settled. */
  get settled(): number {
    return this.#settled;
  }

  /** Notes that the events from one position to before another are settled. */
  settle(from: number, to: number): void {
    this.#ranges.set(from, to);
    for (let end = this.#ranges.get(this.#settled); end !== undefined; end = this.#ranges.get(this.#settled)) {
      this.#ranges.delete(this.#settled);
      this.#settled = end;
    }
  }
}
