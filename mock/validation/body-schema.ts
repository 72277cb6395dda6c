import * as z from "zod/mini";
import type { Schema, ZodSchema } from "../../src/contract/index.ts";
import { listFirst } from "../../src/values/describe.ts";
import { isObject } from "../options/field-types.ts";
import { type Issues, type Loc, type ProblemList, problemsOf, tooManyProblem } from "./problems.ts";

/** Checks the body of an operation against the contract. */
export interface BodySchema {
  /**
   * Removes null from the optional fields of a parsed body that must not be null, or from those of them that are named
   * (G-NULL).
   */
  dropNulls(sent: unknown, names: "accept" | readonly string[]): void;
  /**
   * Adds the problems of a body until the list of problems is full. Of a list with more than `maxItems` items, no item is
   * checked. Returns what the schema keeps of the body.
   */
  parse(sent: unknown, problems: ProblemList, maxItems: number): unknown;
}

/**
 * Prepares the schema of a body: the frame, whose lists may have any items, and the schema of each list's items. A schema
 * itself would validate a whole list and collect every issue, however long the list is.
 */
export function bodySchemaOf(whole: Schema): BodySchema {
  const schema = whole as ZodSchema;
  const fields = Object.entries(shapeOf(schema));
  const lists = fields.flatMap(([name, field]) => {
    const item = itemOf(field) as ZodSchema | undefined;
    return item ? [{ name, item, optional: optionalFields(item) }] : [];
  });
  const shape = Object.fromEntries(fields.map(([name, field]) => [name, itemOf(field) ? withAnyItems(field) : field]));
  const frame = lists.length === 0 ? schema : cloneWith(schema, { shape });
  const optional = optionalFields(schema);
  return {
    dropNulls: (sent, names) => dropNulls(sent, optional, lists, names),
    parse: (sent, ...limits) => parseBody(frame, lists, sent, ...limits),
  };
}

/** Parses the frame, then the lists item by item until the list of problems is full. */
function parseBody(
  frame: ZodSchema,
  lists: readonly BodyList[],
  sent: unknown,
  problems: ProblemList,
  maxItems: number,
): unknown {
  const parse = (schema: Schema, value: unknown, loc: (string | number)[]) => {
    const { value: kept, issues } = validate(schema, value);
    if (issues) problems.addAll(problemsOf(issues, value, loc));
    return kept;
  };
  const kept = parse(frame, sent, ["body"]);
  if (!isObject(sent)) return kept;
  const body: Record<string, unknown> = { ...(kept as object) };
  for (const { name, item } of lists) {
    const items: unknown = sent[name];
    if (!Array.isArray(items)) continue;
    if (items.length > maxItems) {
      problems.add(tooManyProblem(["body", name], "List", maxItems, items.length));
      continue;
    }
    const keptItems: unknown[] = [];
    for (let i = 0; i < items.length && !problems.isFull; i++) keptItems.push(parse(item, items[i], ["body", name, i]));
    body[name] = keptItems;
  }
  return body;
}

/** A list at the top level of a body. Its items are validated one by one. */
interface BodyList {
  readonly name: string;
  readonly item: ZodSchema;
  /** The optional fields of an item that must not be null (G-NULL). */
  readonly optional: ReadonlySet<string>;
}

type Field = z.core.$ZodType;

interface Definition {
  readonly type: string;
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

/** Returns the schema of a list with all checks of the list and none of its items. */
function withAnyItems(field: Field): Field {
  const { innerType } = definitionOf(field);
  return cloneWith(field, innerType ? { innerType: withAnyItems(innerType) } : { element: z.any() });
}

function cloneWith<Cloned extends Field>(schema: Cloned, parts: Partial<Definition>): Cloned {
  return z.clone(schema, { ...schema._zod.def, ...parts } as Cloned["_zod"]["def"]);
}

/** Returns the names of the fields that a schema defines, also in lists and unions. */
export function fieldNames(schema: Schema, levels: number = MAX_LEVELS): string[] {
  const { shape = {}, innerType, element, options = [] } = definitionOf(schema as ZodSchema);
  const inner = [...Object.values(shape), ...options, innerType, element].filter((field) => field !== undefined);
  return [
    ...Object.keys(shape),
    ...(levels > 0 ? inner.flatMap((field) => fieldNames(field as Schema, levels - 1)) : []),
  ];
}

/** The maximum depth, because a schema may contain itself. */
const MAX_LEVELS = 6;

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

function dropNulls(
  body: unknown,
  optional: ReadonlySet<string>,
  lists: readonly BodyList[],
  names: "accept" | readonly string[],
): void {
  if (!isObject(body)) return;
  const isDropped = (name: string) => names === "accept" || names.includes(name);
  const dropFrom = (object: Fields, fields: ReadonlySet<string>) => {
    for (const name of fields) if (object[name] === null && isDropped(name)) delete object[name];
  };
  dropFrom(body, optional);
  for (const list of lists) for (const item of itemsOf(body, list.name)) dropFrom(item, list.optional);
}

/** Returns the objects in a list of a body. */
export function itemsOf(body: Fields, name: string): Fields[] {
  const items = body[name];
  return Array.isArray(items) ? items.filter(isObject) : [];
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
