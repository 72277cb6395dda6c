import { formatTimestamp } from "../clock/clock.ts";
import {
  anything,
  deepFreeze,
  type FieldType,
  omitUndefined,
  requireShape,
  type Shape,
} from "../options/field-types.ts";
import { frozenJson } from "../validation/parse-body.ts";
import type { StoredWebhookEndpoint, User } from "./records.ts";
import type { State, Table } from "./state.ts";

/** Records of one type that a test can read. */
export interface ReadonlyCollection<Item> {
  /** The number of records. */
  readonly size: number;
  /** Returns the record with an id; undefined when it does not exist. */
  get(id: string): Item | undefined;
  /** Returns all records, oldest first. */
  list(): readonly Item[];
}

/** Records of one type that a test can create, read, change and delete. */
export interface Collection<Item, Input> extends ReadonlyCollection<Item> {
  /**
   * Creates a record. Omitted fields receive a default.
   *
   * @throws TypeError when a field is unknown or invalid, or names a record that does not exist.
   */
  create(input?: Input): Item;
  /**
   * Changes the given fields of a record.
   *
   * @throws TypeError when the record does not exist, a field is unknown or invalid, or the id would change.
   */
  update(id: string, changes: Input): Item;
  /** Deletes a record. Returns false when it does not exist. */
  delete(id: string): boolean;
}

/** The rules for the records of a collection. */
export interface RecordRules<Item> {
  /** The name of the type, for error messages. */
  readonly name: string;
  /** The field that identifies a record. */
  readonly key: keyof Item & string;
  readonly fields: Shape;
  /** The values of additional fields; left out when a record has none. */
  readonly others?: FieldType;
  /** Returns the defaults of the fields that a test leaves out. */
  defaults(given: Partial<Item>): Item;
  /** Throws when a field has a value that the state does not allow, such as the id of a record that does not exist. */
  check?(record: Item): void;
}

/** Opens a table for reading and writing. */
export function collection<Item extends object>(
  table: Table<Item>,
  rules: RecordRules<Item>,
  state: State,
): Collection<Item, Partial<Item>> {
  const { name, key } = rules;
  const store = (given: Item): Item => {
    requireShape(name, given, rules.fields, rules.others);
    const record = frozenJson(given, name) as Item;
    requireOrganizations(name, record, state);
    rules.check?.(record);
    table.set(String(record[key]), record);
    return record;
  };
  return Object.assign(readonlyCollection(table), {
    create: (input: Partial<Item> = {}) => {
      const given = definedFields(name, input);
      const record = { ...rules.defaults(given), ...given };
      const id = String(record[key]);
      if (table.has(id)) throw new TypeError(`${name} "${id}" already exists.`);
      return store(record);
    },
    update: (id: string, input: Partial<Item>) => {
      const record = table.get(id);
      if (record === undefined) throw new TypeError(`Unknown ${name} "${id}".`);
      const modified = "modified_at" in record && { modified_at: formatTimestamp(state.clock.now()) };
      const changed = { ...record, ...modified, ...definedFields(name, input) };
      if (changed[key] !== record[key]) throw new TypeError(`${name}: the id of a record must not change.`);
      return store(changed);
    },
    delete: (id: string) => table.delete(id),
  });
}

/** Throws unless the organizations of a record exist. */
function requireOrganizations(name: string, record: object, { tables }: State): void {
  const { organization_id, organization_ids = [] } = record as Partial<StoredWebhookEndpoint & User>;
  const ids = organization_id === undefined ? organization_ids : [organization_id];
  const unknown = ids.find((id) => !tables.organizations.has(id));
  if (unknown !== undefined) throw new TypeError(`${name}: unknown organization ${JSON.stringify(unknown)}.`);
}

/** Reads the fields that a test passes. */
function definedFields<Input extends object>(name: string, input: Input): Input {
  requireShape(name, input, {}, anything);
  return omitUndefined(input);
}

/**
 * Opens a table for reading. A row is frozen only when it is read, because most usage events are never read.
 */
export function readonlyCollection<Item>(table: Table<Item>): ReadonlyCollection<Item> {
  return {
    get size() {
      return table.size;
    },
    get: (id) => deepFreeze(table.get(id)),
    list: () => deepFreeze(table.list()),
  };
}
