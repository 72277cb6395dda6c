import type { Snapshot } from "../state/state.ts";
import { NotFoundError } from "./route.ts";

const MAX_KEPT = 1000;

/** The snapshots that callers over HTTP know by an id. */
export class Snapshots {
  readonly #kept = new Map<string, Snapshot>();
  #count = 0;

  /** Keeps a snapshot, in place of the oldest one when there are too many. */
  keep(snapshot: Snapshot): string {
    this.#count += 1;
    const id = `snapshot-${this.#count}`;
    this.#kept.set(id, snapshot);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > MAX_KEPT) this.#kept.delete(oldest);
    return id;
  }

  ids(): readonly string[] {
    return [...this.#kept.keys()];
  }

  get(id: string): Snapshot {
    const snapshot = this.#kept.get(id);
    if (!snapshot) throw new NotFoundError(`There is no snapshot "${id}"; the newest ${MAX_KEPT} are kept.`);
    return snapshot;
  }

  drop(id: string): boolean {
    return this.#kept.delete(id);
  }
}
