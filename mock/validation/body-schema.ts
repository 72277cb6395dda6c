import * as z from "zod/mini";
import type { Schema } from "../../src/contract/index.ts";
import { isObject } from "../options/shape.ts";

/** A list directly in a body, whose items are checked one by one. */
export interface BodyList {
  readonly name: string;
  readonly item: Schema;
}

/** The schema of a body, taken apart. */
export interface BodySchema {
  /** The schema with any items in its lists. */
  readonly frame: Schema;
  readonly lists: readonly BodyList[];
  /** The optional fields of the body that may not be null, and those of the items of each list (G-NULL). */
  readonly optional: ReadonlySet<string>;
  readonly optionalInItems: ReadonlyMap<string, ReadonlySet<string>>;
}

type Field = z.core.$ZodType;

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Field>>;
  readonly innerType?: Field;
  readonly element?: Field;
  readonly keyType?: Field;
  readonly valueType?: Field;
  readonly options?: readonly Field[];
  readonly checks?: readonly unknown[];
}

/**
 * Takes the schema of a body apart, so that its lists can be checked item by item: a schema checks a list to its end and
 * keeps everything that is wrong in it, however long it is.
 */
export function bodySchema(whole: Schema): BodySchema {
  const schema = lean(whole) as Schema;
  const lists = Object.entries(shapeOf(schema)).flatMap(([name, field]) => {
    const item = itemOf(field);
    return item ? [{ name, item: item as Schema }] : [];
  });
  return {
    frame: lists.length === 0 ? schema : frameOf(schema, lists),
    lists,
    optional: optionalFields(schema),
    optionalInItems: new Map(lists.map(({ name, item }) => [name, optionalFields(item)])),
  };
}

function definitionOf(schema: Field): Definition {
  return schema._zod.def as unknown as Definition;
}

/** The fields of an object's schema; none where the schema is another one, or checks the object as a whole. */
function shapeOf(schema: Field): Readonly<Record<string, Field>> {
  const { type, shape, checks = [] } = definitionOf(schema);
  return type === "object" && shape !== undefined && checks.length === 0 ? shape : {};
}

function itemOf(field: Field): Field | undefined {
  const { type, innerType, element } = definitionOf(field);
  if (type === "array") return element;
  return type === "optional" && innerType ? itemOf(innerType) : undefined;
}

/**
 * A schema that does the same, but does not copy maps of anything: that takes seconds where one has a million names.
 */
function lean(schema: Field, levels = LEVELS): Field {
  const { innerType, element, options, shape } = definitionOf(schema);
  const inner = (field: Field) => lean(field, levels - 1);
  if (isMapOfAnything(schema)) return ANY_MAP;
  if (levels === 0) return schema;
  if (innerType) return changed(schema, { innerType: inner(innerType) });
  if (element) return changed(schema, { element: inner(element) });
  if (options) return changed(schema, { options: options.map(inner) });
  if (!shape) return schema;
  return changed(schema, {
    shape: Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, inner(field)])),
  });
}

/** How deep it looks: a schema may contain itself. */
const LEVELS = 8;

function isMapOfAnything(schema: Field): boolean {
  const { type, keyType, valueType, checks = [] } = definitionOf(schema);
  if (type !== "record" || !keyType || !valueType || checks.length > 0) return false;
  const key = definitionOf(keyType);
  return (
    key.type === "string" && (key.checks ?? []).length === 0 && /^(any|unknown)$/.test(definitionOf(valueType).type)
  );
}

const ANY_MAP: Field = z.any().check((payload) => {
  const input = payload.value;
  if (!isObject(input)) payload.issues.push({ code: "invalid_type", expected: "record", input });
});

function frameOf(schema: Schema, lists: readonly BodyList[]): Schema {
  const shape = shapeOf(schema);
  const frames = lists.map(({ name }) => [name, withAnyItems(shape[name] as Field)]);
  return changed(schema, { shape: { ...shape, ...Object.fromEntries(frames) } });
}

/** The schema of a list, with every check of the list itself and none of its items. */
function withAnyItems(field: Field): Field {
  const { innerType } = definitionOf(field);
  return changed(field, innerType ? { innerType: withAnyItems(innerType) } : { element: z.any() });
}

function changed<Changed extends Field>(schema: Changed, parts: Partial<Definition>): Changed {
  return z.clone(schema, { ...schema._zod.def, ...parts } as Changed["_zod"]["def"]);
}

/** The fields that may be left out but may not be null; of a union, those of every branch. */
function optionalFields(schema: Field): ReadonlySet<string> {
  const { options, shape = {} } = definitionOf(schema);
  if (options) return new Set(options.flatMap((option) => [...optionalFields(option)]));
  const names = Object.keys(shape).filter((name) => {
    const field = shape[name] as Field;
    return field._zod.optin === "optional" && !z.safeParse(field, null).success;
  });
  return new Set(names);
}
