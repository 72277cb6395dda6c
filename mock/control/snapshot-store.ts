import { type Snapshot, savedState } from "../state/state.ts";
import type { TableSnapshot } from "../state/table.ts";
import { NotFoundError } from "./not-found-error.ts";

const MAX_SNAPSHOTS = 1000;

/** The approximate size of all snapshots together, in characters of JSON. A part that several of them share counts once. */
const MAX_CHARACTERS = 512 * 1024 * 1024;

type Rows = TableSnapshot<unknown>;

/** Returns the rows of a snapshot's tables; snapshots share those that did not change in between. */
function rowsOf(snapshot: Snapshot): readonly Rows[] {
  return Object.values(savedState(snapshot).tables);
}

/** The snapshots of callers over HTTP, by id. */
export class SnapshotStore {
  readonly #snapshots = new Map<string, Snapshot>();
  /** The number of snapshots that share the rows of a table. */
  readonly #sharers = new Map<Rows, number>();
  readonly #maxCharacters: number;
  #characters = 0;
  #count = 0;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters;
  }

  /** Adds a snapshot and returns its id. Deletes the oldest ones while there are too many or they are too large. */
  add(snapshot: Snapshot): string {
    this.#count += 1;
    const id = `snapshot-${this.#count}`;
    this.#snapshots.set(id, snapshot);
    for (const rows of rowsOf(snapshot)) this.#share(rows);
    while (
      this.#snapshots.size > 1 &&
      (this.#snapshots.size > MAX_SNAPSHOTS || this.#characters > this.#maxCharacters)
    ) {
      const [oldest] = this.#snapshots.keys();
      this.delete(oldest as string);
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
    throw new NotFoundError(
      `Unknown snapshot "${id}". Only the newest ${MAX_SNAPSHOTS} snapshots are kept, fewer when they are large.`,
    );
  }

  /** Deletes a snapshot. Returns false for an unknown id. */
  delete(id: string): boolean {
    const snapshot = this.#snapshots.get(id);
    if (!snapshot) return false;
    for (const rows of rowsOf(snapshot)) this.#release(rows);
    return this.#snapshots.delete(id);
  }

  #share(rows: Rows): void {
    const sharers = this.#sharers.get(rows) ?? 0;
    if (sharers === 0) this.#characters += charactersOf(rows);
    this.#sharers.set(rows, sharers + 1);
  }

  #release(rows: Rows): void {
    const sharers = (this.#sharers.get(rows) ?? 1) - 1;
    if (sharers > 0) return void this.#sharers.set(rows, sharers);
    this.#characters -= charactersOf(rows);
    this.#sharers.delete(rows);
  }
}

const SAMPLE = 1000;
const known = new WeakMap<Rows, number>();

/** Returns the approximate size of rows as JSON, from the first ones: a table can have a hundred thousand. */
function charactersOf(rows: Rows): number {
  let characters = known.get(rows);
  if (characters === undefined) {
    characters = estimate(rows);
    known.set(rows, characters);
  }
  return characters;
}

function estimate(rows: Rows): number {
  let seen = 0;
  let characters = 0;
  for (const [key, value] of rows) {
    characters += key.length + JSON.stringify(value).length;
    seen += 1;
    if (seen === SAMPLE) break;
  }
  return seen === 0 ? 0 : (characters / seen) * rows.size;
}
