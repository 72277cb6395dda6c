import type { Mock } from "../api/mock.ts";
import { readSnapshot, writeSnapshot } from "../state/saved-snapshot.ts";
import type { Snapshot } from "../state/state.ts";

/**
 * Keeps the state of a mock across reloads, in the tab's session storage. Saves it when the page is left, and restores
 * it when the mock starts on the next page.
 */
export class BrowserStorage {
  readonly #mock: Mock;
  #beginning: Snapshot | undefined;
  #key: string | undefined;

  constructor(mock: Mock) {
    this.#mock = mock;
  }

  /** Restores the state that was saved under a name, if there is one, and saves it from then on. */
  open(name: string): void {
    this.#key = `billing-service:${name}`;
    if (this.#beginning === undefined) {
      this.#beginning = this.#mock.snapshot();
      const saved = readSnapshot(sessionStorage.getItem(this.#key), this.#beginning);
      if (saved) this.#mock.restore(saved);
    }
    addEventListener("pagehide", this.#save);
  }

  /** Saves the state, and stops saving it. */
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
      // The state is too large for the storage. No state is better than an outdated one.
      sessionStorage.removeItem(this.#key);
    }
  };
}
