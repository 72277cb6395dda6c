/** Records how to undo the writes since a transaction started. */
export class Transaction {
  #undo: (() => void)[] | undefined;

  /** Whether writes must be recorded. */
  get open(): boolean {
    return this.#undo !== undefined;
  }

  /** Records how to undo a write. */
  onUndo(undo: () => void): void {
    this.#undo?.push(undo);
  }

  /** Runs a function, and undoes all recorded writes if it throws or does not succeed. */
  run<Result>(work: () => Result, succeeded: (result: Result) => boolean): Result {
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
