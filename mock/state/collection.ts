import { anything, deepFreeze, type FieldKind, omitUndefined, requireShape, type Shape } from "../options/options.ts";
import { frozenJson } from "../validation/parse-body.ts";
import { formatTimestamp } from "./clock.ts";
import { type Output, requireFit } from "./fit.ts";
import type { State, Table } from "./state.ts";

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
   * Creates a record. Omitted fields receive a default.
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
export interface Kind<Record> {
  /** The name of the kind, for error messages. */
  readonly name: string;
  /** The field that identifies a record. */
  readonly key: keyof Record & string;
  readonly fields: Shape;
  /** The values of additional fields; left out when a record has none. */
  readonly others?: FieldKind;
  /** The responses that contain a record. */
  readonly outputs: readonly Output[];
  /** Returns the defaults of the fields that a test leaves out. */
  defaults(given: Partial<Record>): Record;
  /** Throws when a field has a value that the state does not allow, such as the id of a record that does not exist. */
  check?(record: Record): void;
}

/** Opens a table for reading and writing. */
export function collection<Record extends object>(
  table: Table<Record>,
  kind: Kind<Record>,
  state: State,
): Collection<Record, Partial<Record>> {
  const { name, key } = kind;
  const store = (given: Record): Record => {
    requireShape(name, given, kind.fields, kind.others);
    const record = frozenJson(given, name) as Record;
    kind.check?.(record);
    requireFit(name, record, kind.outputs, state);
    table.set(String(record[key]), record);
    return record;
  };
  return Object.assign(readonlyCollection(table), {
    create: (input: Partial<Record> = {}) =>
      state.transact(() => {
        const given = read(name, input);
        const record = { ...kind.defaults(given), ...given };
        const id = String(record[key]);
        if (table.has(id)) throw new TypeError(`${name} "${id}" already exists.`);
        return store(record);
      }),
    update: (id: string, input: Partial<Record>) =>
      state.transact(() => {
        const record = table.get(id);
        if (record === undefined) throw new TypeError(`Unknown ${name} "${id}".`);
        const modified = "modified_at" in record && { modified_at: formatTimestamp(state.clock.now()) };
        const changed = { ...record, ...modified, ...read(name, input) };
        if (changed[key] !== record[key]) throw new TypeError(`${name}: the id of a record must not change.`);
        return store(changed);
      }),
    delete: (id: string) => state.transact(() => table.delete(id)),
  });
}

/** Reads the fields that a test passes. */
function read<Input extends object>(name: string, input: Input): Input {
  requireShape(name, input, {}, anything);
  return omitUndefined(input);
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
    get: (id) => deepFreeze(table.get(id)),
    list: () => {
      const rows = table.list();
      if (rows !== frozen) for (const row of rows) deepFreeze(row);
      frozen = rows;
      return rows;
    },
  };
}
