import { deepFreeze, frozenJson } from "../options/frozen.ts";
import { type FieldKind, omitUndefined, requireShape, type Shape } from "../options/shape.ts";
import { MAX_DEPTH } from "../validation/parse-body.ts";
import { canonicalId } from "./ids.ts";
import type { Table } from "./state.ts";

/** Records of one kind that a test can read. */
export interface ReadonlyCollection<Record> {
  /** The number of records. */
  readonly size: number;
  /** Returns the record with an id; undefined when it does not exist. */
  get(id: string): Record | undefined;
  /** Returns all records, oldest first. */
  list(): readonly Record[];
}

/** Records of one kind that a test can create, read, change and delete. */
export interface Collection<Record, Input> extends ReadonlyCollection<Record> {
  /**
   * Creates a record. Fields that are left out get a default.
   *
   * @throws TypeError when a field is unknown or invalid, or names a record that does not exist.
   */
  create(input?: Input): Record;
  /**
   * Changes the given fields of a record.
   *
   * @throws TypeError when the record does not exist, a field is unknown or invalid, or the id would change.
   */
  update(id: string, changes: Input): Record;
  /** Deletes a record. Returns false when it does not exist. */
  delete(id: string): boolean;
}

/** The rules for the records of a collection. */
export interface Kind<Record, Input> {
  /** The name of the kind, for error messages. */
  readonly name: string;
  /** The fields that hold a UUID or a list of them. */
  readonly uuids: readonly (keyof Record & string)[];
  /** The fields of a record; undefined where a record may have any. */
  readonly fields: Shape | undefined;
  /** The key of a record. */
  key(record: Record): string;
  /** Fills in what is left out. */
  make(input: Input): Record;
  /** Applies a change. */
  change(record: Record, changes: Input): Record;
  /** Throws when a field has an invalid value, or names a record that does not exist. */
  check(record: Record): void;
  /** Throws when a response could not contain the record; left out for kinds that no response contains. */
  fit?(record: Record): void;
}

/** The access of a collection to the state. */
export interface CollectionAccess {
  /** Runs a function that changes the state. */
  transact<Result>(work: () => Result): Result;
  /** The values of additional fields; undefined when additional fields are not allowed. */
  readonly others: FieldKind | undefined;
}

/** Opens a table for reading and writing. */
export function collection<Record, Input extends object>(
  table: Table<Record>,
  kind: Kind<Record, Input>,
  { transact, others }: CollectionAccess,
): Collection<Record, Input> {
  const read = (input: Input): Input => {
    requireShape(kind.name, input, kind.fields, others);
    return withCanonicalIds(omitUndefined(input), kind.uuids);
  };
  const store = (given: Record): Record => {
    const record = frozenJson(given, kind.name, MAX_DEPTH) as Record;
    kind.check(record);
    kind.fit?.(record);
    table.set(kind.key(record), record);
    return record;
  };
  const create = (input: Input): Record => {
    const record = kind.make(read(input));
    if (table.has(kind.key(record))) throw new TypeError(`${kind.name} "${kind.key(record)}" already exists.`);
    return store(record);
  };
  const update = (id: string, changes: Input): Record => {
    const record = table.get(id);
    if (record === undefined) throw new TypeError(`Unknown ${kind.name} "${id}".`);
    const changed = kind.change(record, read(changes));
    if (kind.key(changed) !== id) throw new TypeError(`${kind.name}: the id of a record must not change.`);
    return store(changed);
  };
  return Object.defineProperties(
    {
      create: (input: Input = {} as Input) => transact(() => create(input)),
      update: (id: string, changes: Input) => transact(() => update(canonicalId(id), changes)),
      delete: (id: string) => transact(() => table.delete(canonicalId(id))),
    },
    Object.getOwnPropertyDescriptors(readonlyCollection(table)),
  ) as Collection<Record, Input>;
}

/** Converts UUIDs to lower case (G-UUID-FORM). */
function withCanonicalIds<Input extends object>(input: Input, uuids: readonly string[]): Input {
  const canonical = (value: unknown) => (typeof value === "string" ? canonicalId(value) : value);
  const entries = Object.entries(input).map(([name, value]: [string, unknown]) => {
    if (!uuids.includes(name)) return [name, value];
    return [name, Array.isArray(value) ? value.map(canonical) : canonical(value)];
  });
  return Object.fromEntries(entries) as Input;
}

/**
 * Opens a table for reading. A row is frozen only when it is read, because most usage events are never read.
 */
export function readonlyCollection<Record>(table: Table<Record>): ReadonlyCollection<Record> {
  let frozen: readonly Record[] | undefined;
  return {
    get size() {
      return table.size;
    },
    get: (id) => deepFreeze(table.get(canonicalId(id))),
    list: () => {
      const rows = table.list();
      if (rows !== frozen) for (const row of rows) deepFreeze(row);
      frozen = rows;
      return rows;
    },
  };
}
