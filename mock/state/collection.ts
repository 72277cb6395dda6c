import { deepFreeze, frozenJson } from "../options/frozen.ts";
import { type FieldKind, omitUndefined, requireShape, type Shape } from "../options/shape.ts";
import type { Table } from "./table.ts";
import { canonicalId } from "./uuid.ts";

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
  /** Throws when a field has a wrong value, or names a record that does not exist. */
  check(record: Record): void;
  /** Throws when an answer could not hold the record; left out where no answer holds such records. */
  fit?(record: Record): void;
}

/** What the collections of a mock work with. */
export interface Surroundings {
  /** Does some work on the state; all of it or, where it throws, nothing. */
  transact<Result>(work: () => Result): Result;
  /** What further fields of records may hold, where there may be such. */
  readonly others: FieldKind | undefined;
}

/** How many levels deep a record may be nested, as a body may by default (G-DEPTH). */
const MAX_DEPTH = 200;

/** Opens a table to tests. */
export function collection<Record, Input extends object>(
  table: Table<Record>,
  kind: Kind<Record, Input>,
  { transact, others }: Surroundings,
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
    if (record === undefined) throw new TypeError(`There is no ${kind.name} "${id}".`);
    const changed = kind.change(record, read(changes));
    if (kind.key(changed) !== id) throw new TypeError(`${kind.name}: the id of a record cannot change.`);
    return store(changed);
  };
  return Object.defineProperties(
    {
      create: (input: Input = {} as Input) => transact(() => create(input)),
      update: (id: string, changes: Input) => transact(() => update(canonicalId(id), changes)),
      delete: (id: string) => table.delete(canonicalId(id)),
    },
    Object.getOwnPropertyDescriptors(readonlyCollection(table)),
  ) as Collection<Record, Input>;
}

/** Writes UUIDs in lower case, whatever spelling was given (G-UUID-FORM). */
function withCanonicalIds<Input extends object>(input: Input, uuids: readonly string[]): Input {
  const canonical = (value: unknown) => (typeof value === "string" ? canonicalId(value) : value);
  const entries = Object.entries(input).map(([name, value]: [string, unknown]) => {
    if (!uuids.includes(name)) return [name, value];
    return [name, Array.isArray(value) ? value.map(canonical) : canonical(value)];
  });
  return Object.fromEntries(entries) as Input;
}

/**
 * Opens a table to tests for reading. What a row holds is frozen when it is handed out: most usage events are stored and
 * never looked at.
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
