import type { Layer } from "../state/layers.ts";
import { layersOf, type Snapshot } from "../state/state.ts";
import { NotFoundError } from "./route.ts";

const MAX_KEPT = 1000;

/** How many characters of JSON, about, all kept snapshots may hold together. What several of them share counts once. */
const MAX_CHARACTERS = 512 * 1024 * 1024;

/** The snapshots that callers over HTTP know by an id. */
export class Snapshots {
  readonly #kept = new Map<string, Snapshot>();
  /** The number of saved snapshots that share a layer. */
  readonly #sharers = new Map<Layer<unknown>, number>();
  readonly #maxCharacters: number;
  #characters = 0;
  #count = 0;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters;
  }

  /** Keeps a snapshot. While there are too many, or they hold too much, the oldest is deleted; the new one stays. */
  keep(snapshot: Snapshot): string {
    this.#count += 1;
    const id = `snapshot-${this.#count}`;
    this.#kept.set(id, snapshot);
    for (const layer of layersOf(snapshot)) this.#share(layer);
    while (this.#kept.size > 1 && (this.#kept.size > MAX_KEPT || this.#characters > this.#maxCharacters)) {
      const [oldest] = this.#kept.keys();
      this.drop(oldest as string);
    }
    return id;
  }

  ids(): readonly string[] {
    return [...this.#kept.keys()];
  }

  get(id: string): Snapshot {
    const snapshot = this.#kept.get(id);
    if (snapshot) return snapshot;
    const limit = `at most ${MAX_KEPT}, fewer when they are large`;
    throw new NotFoundError(`There is no snapshot "${id}"; only the newest are kept (${limit}).`);
  }

  drop(id: string): boolean {
    const snapshot = this.#kept.get(id);
    if (!snapshot) return false;
    for (const layer of layersOf(snapshot)) this.#release(layer);
    return this.#kept.delete(id);
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

/** About how many characters the rows of a layer are as JSON, by the first of them: a layer may have a million. */
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
