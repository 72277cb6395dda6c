import * as z from "zod/mini";
import type { Schema, ZodSchema } from "../../src/contract/index.ts";
import { listFirst } from "../../src/values/describe.ts";
import { isObject } from "../options/options.ts";
import type { Loc, ProblemList } from "./problems.ts";
import { type Issues, problemsOf } from "./schema-problems.ts";

/** Checks the body of an operation against the contract. */
export interface BodySchema {
  /** Removes null from the optional fields of a parsed body that must not be null (G-NULL). */
  dropNulls(sent: unknown): void;
  /** Adds the problems of a body until the list of problems is full. Returns what the schema keeps of the body. */
  parse(sent: unknown, problems: ProblemList): unknown;
}

/**
 * Prepares the check of a body. Its schema is split into the frame and the lists, so that lists can be validated item by item
 * and validation can stop early. A schema itself always validates the whole list and collects every issue, however long the
 * list is.
 */
export function bodySchemaOf(whole: Schema): BodySchema {
  const schema = withoutMapCopies(whole as ZodSchema) as ZodSchema;
  const lists = Object.entries(shapeOf(schema)).flatMap(([name, field]) => {
    const item = itemOf(field);
    return item ? [{ name, item: item as ZodSchema, quick: quickParse(item), optional: optionalFields(item) }] : [];
  });
  const frame = lists.length === 0 ? schema : frameOf(schema, lists);
  const optional = optionalFields(schema);
  return {
    dropNulls: (sent) => dropNulls(sent, optional, lists),
    parse: (sent, problems) => parseBody(frame, lists, sent, problems),
  };
}

/** Checks the frame, which accepts any items in its lists, then the lists item by item. */
function parseBody(frame: ZodSchema, lists: readonly BodyList[], sent: unknown, problems: ProblemList): unknown {
  const parse = (schema: Schema, value: unknown, loc: (string | number)[]) => {
    const { value: kept, issues } = validate(schema, value);
    if (issues) problems.addAll(problemsOf(issues, value, loc));
    return kept;
  };
  const kept = parse(frame, sent, ["body"]);
  if (lists.length === 0 || !isObject(sent)) return kept;
  const body: Record<string, unknown> = { ...(kept as object) };
  for (const { name, item, quick } of lists) {
    const items = (sent as Fields)[name];
    if (!Array.isArray(items)) continue;
    const keptItems: unknown[] = [];
    for (let i = 0; i < items.length && !problems.isFull; i++) {
      const parsed = quick(items[i]);
      keptItems.push(parsed === UNDECIDED ? parse(item, items[i], ["body", name, i]) : parsed);
    }
    body[name] = keptItems;
  }
  return body;
}

/** A list at the top level of a body. Its items are validated one by one. */
interface BodyList {
  readonly name: string;
  readonly item: ZodSchema;
  readonly quick: QuickParse;
  /** The optional fields of an item that must not be null (G-NULL). */
  readonly optional: ReadonlySet<string>;
}

type Field = z.core.$ZodType;

interface Definition {
  readonly type: string;
  /** The format that a string must have. */
  readonly format?: string;
  readonly inclusive?: boolean;
  readonly catchall?: Field;
  readonly keyType?: Field;
  readonly valueType?: Field;
  readonly shape?: Readonly<Record<string, Field>>;
  readonly innerType?: Field;
  readonly element?: Field;
  readonly options?: readonly Field[];
  readonly checks?: readonly unknown[];
}

function definitionOf(schema: Field): Definition {
  return schema._zod.def as unknown as Definition;
}

/** Returns the fields of an object schema; none for other schemas and for objects with checks of their own. */
function shapeOf(schema: Field): Readonly<Record<string, Field>> {
  const { type, shape, checks = [] } = definitionOf(schema);
  return type === "object" && shape !== undefined && checks.length === 0 ? shape : {};
}

function itemOf(field: Field): Field | undefined {
  const { type, innerType, element } = definitionOf(field);
  if (type === "array") return element;
  return type === "optional" && innerType ? itemOf(innerType) : undefined;
}

/** Returns an equivalent schema that does not copy maps of any values, which would take 0.3 s for the largest (G-VALUES). */
function withoutMapCopies(schema: Field, levels = MAX_LEVELS): Field {
  const { innerType, element, options, shape } = definitionOf(schema);
  const inner = (field: Field) => withoutMapCopies(field, levels - 1);
  if (isMapOfAnything(schema)) return anyMap;
  if (levels === 0) return schema;
  if (innerType) return cloneWith(schema, { innerType: inner(innerType) });
  if (element) return cloneWith(schema, { element: inner(element) });
  if (options) return cloneWith(schema, { options: options.map(inner) });
  if (!shape) return schema;
  return cloneWith(schema, {
    shape: Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, inner(field)])),
  });
}

/** The maximum depth, because a schema may contain itself. */
const MAX_LEVELS = 8;

function isMapOfAnything(schema: Field): boolean {
  const { shape = {}, catchall, keyType, valueType = catchall } = definitionOf(schema);
  if (!valueType || !isUnchecked(schema, /^(object|record)$/) || !isUnchecked(valueType, /^(any|unknown)$/))
    return false;
  return keyType ? isUnchecked(keyType, /^string$/) : Object.keys(shape).length === 0;
}

function isUnchecked(schema: Field, expected: RegExp): boolean {
  const { type, format, checks = [] } = definitionOf(schema);
  return expected.test(type) && format === undefined && checks.length === 0;
}

const anyMap: Field = z.any().check((payload) => {
  const input = payload.value;
  if (!isObject(input)) payload.issues.push({ code: "invalid_type", expected: "record", input });
});

function frameOf(schema: ZodSchema, lists: readonly BodyList[]): ZodSchema {
  const shape = shapeOf(schema);
  const frames = lists.map(({ name }) => [name, withAnyItems(shape[name] as Field)]);
  return cloneWith(schema, { shape: { ...shape, ...Object.fromEntries(frames) } });
}

/** Returns the schema of a list with all checks of the list and none of its items. */
function withAnyItems(field: Field): Field {
  const { innerType } = definitionOf(field);
  return cloneWith(field, innerType ? { innerType: withAnyItems(innerType) } : { element: z.any() });
}

function cloneWith<Cloned extends Field>(schema: Cloned, parts: Partial<Definition>): Cloned {
  return z.clone(schema, { ...schema._zod.def, ...parts } as Cloned["_zod"]["def"]);
}

/** Returns the fields that are optional but must not be null. For a union, returns those of all branches. */
function optionalFields(schema: Field): ReadonlySet<string> {
  const { options, shape = {} } = definitionOf(schema);
  if (options) return new Set(options.flatMap((option) => [...optionalFields(option)]));
  const names = Object.keys(shape).filter((name) => {
    const field = shape[name] as Field;
    return field._zod.optin === "optional" && !z.safeParse(field, null).success;
  });
  return new Set(names);
}

/** A parsed JSON object, before it is checked. */
export type Fields = Record<string, unknown>;

function dropNulls(body: unknown, optional: ReadonlySet<string>, lists: readonly BodyList[]): void {
  if (!isObject(body)) return;
  dropNullsOf(body, optional);
  for (const list of lists) for (const item of itemsOf(body, list.name)) dropNullsOf(item, list.optional);
}

function dropNullsOf(object: Fields, optional: ReadonlySet<string>): void {
  for (const name of optional) if (object[name] === null) delete object[name];
}

/** Returns the objects in a list of a body. */
export function itemsOf(body: Fields, name: string): Fields[] {
  const items = body[name];
  return Array.isArray(items) ? items.filter(isObject) : [];
}

/** Means that the schema itself must parse a value. */
export const UNDECIDED: unique symbol = Symbol("undecided");

/** Returns exactly what a schema keeps of a valid value: the value itself if it keeps all of it; or `UNDECIDED`. */
type QuickParse = (sent: unknown) => unknown;

/**
 * Prepares a faster way to parse valid objects. It parses only the fields that are present, and skips the branches of a
 * union whose required fields are missing. The schema itself parses every field, and collects the issues of every branch.
 */
export function quickParse(schema: Field): QuickParse {
  const branches = branchesOf(schema);
  if (!branches) return () => UNDECIDED;
  return (sent) => {
    if (!isObject(sent)) return UNDECIDED;
    // The object itself where possible, because copies of a large batch take much time and memory.
    for (const branch of branches)
      if (hasAll(branch.required, sent)) return keepsAll(branch, sent) ? sent : copyFields(branch, sent);
    return UNDECIDED;
  };
}

function hasAll(names: readonly string[], sent: Fields): boolean {
  for (const name of names) if (!(name in sent)) return false;
  return true;
}

/** A schema of an object. */
interface Branch {
  readonly required: readonly string[];
  readonly fields: readonly (readonly [name: string, schema: Field])[];
  readonly byName: ReadonlyMap<string, Field>;
}

/** Returns the branches of a union, or the only one of an object; undefined for any other schema. */
function branchesOf(schema: Field): readonly Branch[] | undefined {
  const { type, inclusive = true, options = [], checks = [] } = definitionOf(schema);
  const isUnion = type === "union" && inclusive && checks.length === 0;
  const branches = (isUnion ? options : [schema]).map(branchOf);
  return branches.every((branch) => branch !== undefined) ? branches : undefined;
}

function branchOf(schema: Field): Branch | undefined {
  const { type, shape, catchall, checks = [] } = definitionOf(schema);
  if (type !== "object" || !shape || catchall || checks.length > 0) return undefined;
  const fields = Object.entries(shape);
  const isSimple = Reflect.ownKeys(shape).length === fields.length && fields.every(isSimpleField);
  if (!isSimple) return undefined;
  const required = fields.filter(([, field]) => field._zod.optin === undefined).map(([name]) => name);
  return { fields, required, byName: new Map(fields) };
}

/** Whether a field is required, or contributes nothing when it is absent, as one with a default does. */
function isSimpleField([name, { _zod: field }]: readonly [string, Field]): boolean {
  if (name in Object.prototype) return false;
  return field.optin === undefined || (field.optin === "optional" && field.optout === "optional");
}

/** Whether every field of an object is a valid field of the branch, which keeps its value as it is. */
function keepsAll({ byName }: Branch, sent: Fields): boolean {
  for (const name in sent) {
    const field = byName.get(name);
    if (field === undefined || parseField(field, sent[name]) !== sent[name]) return false;
  }
  return true;
}

function copyFields({ fields }: Branch, sent: Fields): unknown {
  const kept: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    if (!(name in sent)) continue;
    const value = parseField(field, sent[name]);
    if (value === UNDECIDED) return UNDECIDED;
    kept[name] = value;
  }
  return kept;
}

const SYNCHRONOUS = { async: false };

function parseField({ _zod }: Field, value: unknown): unknown {
  const result = _zod.run({ value, issues: [] }, SYNCHRONOUS);
  return "issues" in result && result.issues.length === 0 ? result.value : UNDECIDED;
}

/** The result of a validation: what the schema keeps of the value, or its issues. */
export type Validated =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: Issues };

/**
 * Validates a value with a schema of a contract.
 *
 * @throws An error if the schema validates asynchronously.
 */
export function validate(schema: Schema, value: unknown): Validated {
  const { success, data, error } = (schema as ZodSchema).safeParse(value);
  return success ? { value: data } : { issues: error.issues };
}

/**
 * Returns what a schema keeps of a value.
 *
 * @param what Names what contains the value in the error.
 * @param root The place of the value in it.
 * @throws TypeError if the value does not match.
 */
export function requireValid(schema: Schema, value: unknown, what: string, root: Loc = ["body"]): unknown {
  const checked = validate(schema, value);
  if (!checked.issues) return checked.value;
  const problems = listFirst(problemsOf(checked.issues, value, root), ({ loc, msg }) => `${loc.join(".")}: ${msg}`);
  throw new TypeError(`${what} does not match the contract: ${problems}`);
}
