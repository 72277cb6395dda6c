import type { Engine } from "../engine/engine.ts";
import { readSnapshot, writeSnapshot } from "../state/saved-snapshot.ts";
import type { Snapshot } from "../state/state.ts";

/**
 * Keeps the state of a mock over reloads, in the tab's session storage: it is saved when the page is left, and read when
 * the mock starts on the next one.
 */
export class BrowserStorage {
  readonly #mock: Engine;
  #beginning: Snapshot | undefined;
  #key: string | undefined;

  constructor(mock: Engine) {
    this.#mock = mock;
  }

  /** Brings back the state that was saved under the name, if there is one, and saves it from now on. */
  open(name: string): void {
    this.#key = `billing-mock:${name}`;
    if (this.#beginning === undefined) {
      this.#beginning = this.#mock.snapshot();
      const saved = readSnapshot(sessionStorage.getItem(this.#key), this.#beginning);
      if (saved) this.#mock.restore(saved);
    }
    addEventListener("pagehide", this.#save);
  }

  /** Saves the state a last time. */
  close(): void {
    if (this.#key === undefined) return;
    this.#save();
    removeEventListener("pagehide", this.#save);
    this.#key = undefined;
  }

  readonly #save = (): void => {
    if (this.#key === undefined || this.#beginning === undefined) return;
    try {
      sessionStorage.setItem(this.#key, writeSnapshot(this.#mock.snapshot(), this.#beginning));
    } catch {
      // It is too large for the storage. None is better than an older one that looks like it.
      sessionStorage.removeItem(this.#key);
    }
  };
}
