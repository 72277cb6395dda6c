import { isVersion } from "../../src/lifecycle/index.ts";
import { afterRelease, type VersionTable } from "../lifecycle/versions.ts";
import { type SavedState, type Snapshot, savedState, snapshotOf } from "./state.ts";

/** A snapshot as JSON. It contains the names of contracts instead of the contracts, which contain functions. */
interface SavedSnapshot extends Omit<SavedState, "owner" | "tables" | "versions"> {
  /** The state of the id generator at the start, which shows whether two mocks started with the same options. */
  readonly initial: readonly number[];
  readonly tables: readonly (readonly [name: string, rows: readonly (readonly [key: string, value: unknown])[]])[];
  /** The Current version. */
  readonly current: string;
}

/** Serializes a snapshot as JSON, together with the initial state of its mock. */
export function writeSnapshot(snapshot: Snapshot, initial: Snapshot): string {
  const { tables, versions, owner: _, ...rest } = savedState(snapshot);
  const saved: SavedSnapshot = {
    ...rest,
    initial: savedState(initial).ids,
    tables: Object.entries(tables).map(([name, rows]) => [name, [...rows]]),
    current: versions.current,
  };
  return JSON.stringify(saved);
}

/**
 * Reads a serialized snapshot. Returns undefined if it is not valid, or if it belongs to a mock with another initial state,
 * because its records, its seed or its versions are different.
 */
export function readSnapshot(text: string | null, initial: Snapshot): Snapshot | undefined {
  const saved = parse(text);
  const { owner, ids, tables, versions: first } = savedState(initial);
  if (!saved || String(saved.initial) !== String(ids)) return undefined;
  const versions = versionsAt(saved.current, first);
  if (!versions || String(saved.tables.map(([name]) => name)) !== String(Object.keys(tables))) return undefined;
  const read = saved.tables.map(([name, rows]) => [name, new Map(rows)] as const);
  const { defaults, advanced } = saved;
  return snapshotOf({ owner, tables: Object.fromEntries(read), versions, ids: saved.ids, defaults, advanced });
}

/** The maximum number of releases that a snapshot restores: a century of them. */
const MAX_RELEASES = 400;

/** Releases versions until the given one is Current; undefined if that does not happen in a century. */
function versionsAt(current: string, first: VersionTable): VersionTable | undefined {
  if (!isVersion(current)) return undefined;
  let versions = first;
  for (let count = 0; count < MAX_RELEASES && versions.current < current; count++) versions = afterRelease(versions);
  return versions.current === current ? versions : undefined;
}

/** Parses a saved snapshot and freezes it, because all records are frozen. */
function parse(text: string | null): SavedSnapshot | null {
  try {
    return JSON.parse(text ?? "null", (_key, value) => Object.freeze(value));
  } catch {
    return null;
  }
}
