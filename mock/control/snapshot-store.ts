import type { Layer } from "../state/layers.ts";
import { layersOf, type Snapshot } from "../state/state.ts";
import { NotFoundError } from "./not-found-error.ts";

const MAX_SNAPSHOTS = 1000;

/** The approximate size of all snapshots together, in characters of JSON. A part that several of them share counts once. */
const MAX_CHARACTERS = 512 * 1024 * 1024;

/** The snapshots of callers over HTTP, by id. */
export class SnapshotStore {
  readonly #snapshots = new Map<string, Snapshot>();
  /** The number of snapshots that share a layer. */
  readonly #sharers = new Map<Layer<unknown>, number>();
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
    for (const layer of layersOf(snapshot)) this.#share(layer);
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
    for (const layer of layersOf(snapshot)) this.#release(layer);
    return this.#snapshots.delete(id);
  }

  #share(layer: Layer<unknown>): void {
    const sharers = this.#sharers.get(layer) ?? 0;
    if (sharers === 0) this.#characters += charactersOf(layer);
    this.#sharers.set(layer, sharers + 1);
  }

  #release(layer: Layer<unknown>): void {
    const sharers = (this.#sharers.get(layer) ?? 1) - 1;
    if (sharers > 0) return void this.#sharers.set(layer, sharers);
    this.#characters -= charactersOf(layer);
    this.#sharers.delete(layer);
  }
}

const SAMPLE = 1000;
const known = new WeakMap<Layer<unknown>, number>();

/** Returns the approximate size of a layer as JSON, from its first rows: a layer can have a million. */
function charactersOf(layer: Layer<unknown>): number {
  let characters = known.get(layer);
  if (characters === undefined) {
    characters = estimate(layer);
    known.set(layer, characters);
  }
  return characters;
}

function estimate({ rows }: Layer<unknown>): number {
  let seen = 0;
  let characters = 0;
  for (const [key, value] of rows) {
    characters += key.length + JSON.stringify(value).length;
    seen += 1;
    if (seen === SAMPLE) break;
  }
  return seen === 0 ? 0 : (characters / seen) * rows.size;
}
