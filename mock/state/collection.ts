import { type FieldKind, requireShape, type Shape, stated } from "../input/shape.ts";
import type { Table } from "./table.ts";

/** Records of one kind that a test can read. */
export interface ReadonlyCollection<Record> {
  /** How many there are. */
  readonly size: number;
  /** The record with that id; undefined when there is none. */
  get(id: string): Record | undefined;
  /** All records, oldest first. */
  list(): readonly Record[];
}

/** Records of one kind that a test can create, read, change and delete. */
export interface Collection<Record, Input> extends ReadonlyCollection<Record> {
  /**
   * Creates a record. Every field that is left out gets a sensible default.
   *
   * @throws TypeError when there is no such field, when one is of the wrong kind, or names a record that does not exist.
   */
  create(input?: Input): Record;
  /**
   * Changes the given fields of a record.
   *
   * @throws TypeError when there is no such record or no such field, when one is of the wrong kind, or when the id is to
   * change.
   */
  update(id: string, changes: Input): Record;
  /** Deletes a record; false when there was none. */
  delete(id: string): boolean;
}

/** How the records of a collection are made. */
export interface Kind<Record, Input> {
  /** The name of the kind, for error messages. */
  readonly name: string;
  /** The fields of a record; undefined where a record may have any. */
  readonly fields: Shape | undefined;
  /** The key of a record. */
  key(record: Record): string;
  /** Fills in what is left out. */
  make(input: Input): Record;
  /** Applies a change. */
  change(record: Record, changes: Input): Record;
  /** Throws when a record cannot be. */
  check(record: Record): void;
}

/**
 * Opens a table to tests.
 *
 * @param others What further fields of a record may hold, where there may be such.
 */
export function collection<Record, Input extends object>(
  table: Table<Record>,
  kind: Kind<Record, Input>,
  others?: FieldKind,
): Collection<Record, Input> {
  const store = (given: Record): Record => {
    const record = deepFreeze(copied(given, kind.name));
    kind.check(record);
    table.set(kind.key(record), record);
    return record;
  };
  return {
    get size() {
      return table.size;
    },
    get: (id) => table.get(id),
    list: () => table.list(),
    delete: (id) => table.delete(id),
    create: (input = {} as Input) => {
      requireShape(kind.name, input, kind.fields, others);
      const record = kind.make(stated(input));
      if (table.has(kind.key(record))) throw new TypeError(`${kind.name} "${kind.key(record)}" exists already.`);
      return store(record);
    },
    update: (id, changes) => {
      const record = table.get(id);
      if (record === undefined) throw new TypeError(`There is no ${kind.name} "${id}".`);
      requireShape(kind.name, changes, kind.fields, others);
      const changed = kind.change(record, stated(changes));
      if (kind.key(changed) !== id) throw new TypeError(`${kind.name}: the id of a record cannot change.`);
      return store(changed);
    },
  };
}

/** Opens a table to tests for reading. */
export function readonlyCollection<Record>(table: Table<Record>): ReadonlyCollection<Record> {
  return {
    get size() {
      return table.size;
    },
    get: (id) => table.get(id),
    list: () => table.list(),
  };
}

/** A copy that whoever gave the original cannot change. */
function copied<Record>(given: Record, name: string): Record {
  try {
    return structuredClone(given);
  } catch {
    throw new TypeError(`${name}: a record holds data alone, no functions and no symbols.`);
  }
}

/** Records are shared with snapshots and with whoever reads them, so nothing inside one may change. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const child of Object.values(value)) deepFreeze(child);
  return Object.freeze(value);
}
