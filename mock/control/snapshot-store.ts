import type { Snapshot } from "../state/state.ts";

/** A snapshot keeps deleted events in memory, so their number is limited. */
const MAX_SNAPSHOTS = 20;

/** The newest snapshots of callers over HTTP, by id. */
export class SnapshotStore {
  readonly #snapshots = new Map<string, Snapshot>();
  #count = 0;

  /** Adds a snapshot and returns its id, which contains the mock's: another mock must not know it. */
  add(snapshot: Snapshot, mock: string): string {
    this.#count += 1;
    const id = `${mock}-${this.#count}`;
    this.#snapshots.set(id, snapshot);
    this.#snapshots.delete(`${mock}-${this.#count - MAX_SNAPSHOTS}`);
    return id;
  }

  /**
   * Returns a snapshot.
   *
   * @throws TypeError for an unknown id.
   */
  get(id: string): Snapshot {
    const snapshot = this.#snapshots.get(id);
    if (snapshot) return snapshot;
    throw new TypeError(`Unknown snapshot "${id}". Only the newest ${MAX_SNAPSHOTS} snapshots are kept.`);
  }
}
