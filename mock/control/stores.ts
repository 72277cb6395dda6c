import { type Snapshot, savedState } from "../state/state.ts";

/** Thrown when the id in the path does not exist. The response has status 404. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
}

const MAX_SNAPSHOTS = 100;

/** The approximate size of all snapshots together. Snapshots with the same rows share them, but count each. */
const MAX_BYTES = 1_000_000_000;
const BYTES_PER_ROW = 400;

/** Returns the approximate size of a snapshot in memory, in bytes. */
function bytesIn(snapshot: Snapshot): number {
  const { tables } = savedState(snapshot);
  const rows = Object.values(tables).reduce((sum, { size }) => sum + size, 0);
  const [eventBytes] = tables["eventBytes"]?.values() ?? [];
  return BYTES_PER_ROW * rows + Number(eventBytes ?? 0);
}

/** The snapshots of callers over HTTP, by id. */
export class SnapshotStore {
  readonly #snapshots = new Map<string, Snapshot>();
  #bytes = 0;
  #count = 0;

  /** Adds a snapshot and returns its id. Deletes the oldest ones while there are too many or they are too large. */
  add(snapshot: Snapshot): string {
    this.#count += 1;
    const id = `snapshot-${this.#count}`;
    this.#snapshots.set(id, snapshot);
    this.#bytes += bytesIn(snapshot);
    for (const oldest of this.#snapshots.keys()) {
      if (oldest === id || (this.#snapshots.size <= MAX_SNAPSHOTS && this.#bytes <= MAX_BYTES)) break;
      this.delete(oldest);
    }
    return id;
  }

  ids(): readonly string[] {
    return [...this.#snapshots.keys()];
  }

  /**
   * Returns a snapshot.
   *
   * @throws NotFoundError for an unknown id.
   */
  get(id: string): Snapshot {
    const snapshot = this.#snapshots.get(id);
    if (snapshot) return snapshot;
    const kept = `Only the newest ${MAX_SNAPSHOTS} snapshots are kept, fewer when they are large.`;
    throw new NotFoundError(`Unknown snapshot "${id}". ${kept}`);
  }

  /** Deletes a snapshot. Returns false for an unknown id. */
  delete(id: string): boolean {
    const snapshot = this.#snapshots.get(id);
    if (snapshot) this.#bytes -= bytesIn(snapshot);
    return this.#snapshots.delete(id);
  }
}
