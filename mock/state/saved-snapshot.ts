import { isVersion } from "../../src/lifecycle/index.ts";
import { afterRelease, type VersionTable } from "../lifecycle/versions.ts";
import { rowsOf } from "./layers.ts";
import { type Defaults, type Snapshot, savedState, snapshotOf } from "./state.ts";
import { Table } from "./table.ts";

/** A snapshot as JSON: contracts are named, not held, since they hold functions. */
interface SavedSnapshot {
  /** The source of ids at the beginning: it tells whether two mocks began alike. */
  readonly beginning: readonly number[];
  readonly tables: readonly (readonly [name: string, rows: readonly (readonly [key: string, value: unknown])[]])[];
  /** The Current version. */
  readonly current: string;
  readonly ids: readonly number[];
  readonly defaults: Defaults;
}

/** Writes a snapshot as text, together with what it began from. */
export function writeSnapshot(snapshot: Snapshot, beginning: Snapshot): string {
  const { tables, versions, ids, defaults } = savedState(snapshot);
  const saved: SavedSnapshot = {
    beginning: savedState(beginning).ids,
    tables: Object.entries(tables).map(([name, { layers }]) => [name, [...rowsOf(layers)]]),
    current: versions.current,
    ids,
    defaults,
  };
  return JSON.stringify(saved);
}

/**
 * Reads a snapshot for a mock that begins with the given one. Undefined for a text that grew out of another beginning
 * (the mock was given other records, another seed or other versions), or that is none.
 */
export function readSnapshot(text: string | null, beginning: Snapshot): Snapshot | undefined {
  const saved = parse(text);
  const { ids, tables, versions: first } = savedState(beginning);
  if (!saved || String(saved.beginning) !== String(ids)) return undefined;
  const versions = versionsAt(saved.current, first);
  if (!versions || String(saved.tables.map(([name]) => name)) !== String(Object.keys(tables))) return undefined;
  const read = saved.tables.map(([name, rows]) => [name, tableOf(rows).save()] as const);
  return snapshotOf({ tables: Object.fromEntries(read), versions, ids: saved.ids, defaults: saved.defaults });
}

function tableOf(rows: SavedSnapshot["tables"][number][1]): Table<unknown> {
  const table = new Table<unknown>();
  for (const [key, value] of rows) table.set(key, value);
  return table;
}

/** Makes releases until the version is Current; undefined when it never will be. */
function versionsAt(current: string, versions: VersionTable): VersionTable | undefined {
  if (versions.current === current) return versions;
  if (!isVersion(current) || current < versions.current) return undefined;
  return versionsAt(current, afterRelease(versions));
}

/** Parses a saved snapshot and freezes it, because all records are frozen. */
function parse(text: string | null): SavedSnapshot | null {
  try {
    return JSON.parse(text ?? "null", (_key, value) => Object.freeze(value));
  } catch {
    return null;
  }
}
