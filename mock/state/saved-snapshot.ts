import { afterRelease } from "../lifecycle/versions.ts";
import { type SavedState, type Snapshot, savedState, snapshotOf } from "./state.ts";

/** A snapshot as JSON. It contains the number of releases instead of the contracts, which contain functions. */
interface SavedSnapshot extends Omit<SavedState, "owner" | "tables" | "versions"> {
  /** Identifies the initial state of its mock. */
  readonly initial: string;
  readonly tables: readonly (readonly [name: string, rows: readonly (readonly [key: string, value: unknown])[]])[];
  readonly releases: number;
}

/** Returns a string that is the same for mocks that started with the same options, records and versions. */
function identityOf({ ids, versions, tables }: SavedState): string {
  return [ids, versions.current, Object.keys(tables)].join();
}

/** Serializes a snapshot as JSON, together with the initial state of its mock. */
export function writeSnapshot(snapshot: Snapshot, initial: Snapshot): string {
  const { tables, versions, owner: _, ...rest } = savedState(snapshot);
  const saved: SavedSnapshot = {
    ...rest,
    initial: identityOf(savedState(initial)),
    tables: Object.entries(tables).map(([name, rows]) => [name, [...rows]]),
    releases: versions.removed.size,
  };
  return JSON.stringify(saved);
}

/**
 * Reads a serialized snapshot. Returns undefined if it is not valid, or if it belongs to a mock with another initial state,
 * because its records, its seed or its versions are different.
 */
export function readSnapshot(text: string | null, initial: Snapshot): Snapshot | undefined {
  const saved = parse(text);
  const begun = savedState(initial);
  if (saved?.initial !== identityOf(begun)) return undefined;
  let { versions } = begun;
  while (versions.removed.size < saved.releases) versions = afterRelease(versions);
  const { ids, advanced } = saved;
  const tables = Object.fromEntries(saved.tables.map(([name, rows]) => [name, new Map(rows)]));
  return snapshotOf({ owner: begun.owner, tables, versions, ids, advanced });
}

/** Parses a saved snapshot and freezes it, because all records are frozen. */
function parse(text: string | null): SavedSnapshot | null {
  try {
    return JSON.parse(text ?? "null", (_key, value) => Object.freeze(value));
  } catch {
    return null;
  }
}
