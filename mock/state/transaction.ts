/** The writes since a transaction began, each with the way back. */
export class Transaction {
  #undo: (() => void)[] | undefined;

  /** Whether writes must be noted. */
  get open(): boolean {
    return this.#undo !== undefined;
  }

  /** Notes how to take a write back. */
  note(undo: () => void): void {
    this.#undo?.push(undo);
  }

  /**
   * Does some work, and takes back all that was noted when it throws or did not succeed. Work inside of other work is
   * part of it.
   */
  run<Result>(work: () => Result, succeeded: (result: Result) => boolean): Result {
    if (this.#undo) return work();
    const undo: (() => void)[] = [];
    this.#undo = undo;
    let done = false;
    try {
      const result = work();
      done = succeeded(result);
      return result;
    } finally {
      this.#undo = undefined;
      if (!done) for (let i = undo.length - 1; i >= 0; i--) undo[i]?.();
    }
  }
}
