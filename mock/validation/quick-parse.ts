import type * as z from "zod/mini";
import { isObject } from "../options/shape.ts";

type Field = z.core.$ZodType;
type Fields = Readonly<Record<string, unknown>>;

/** Means that the schema itself must parse a value. */
export const UNDECIDED: unique symbol = Symbol("undecided");

/** Returns exactly what a schema keeps of a valid value, or `UNDECIDED`. */
export type QuickParse = (sent: unknown) => unknown;

/**
 * Prepares a faster way to parse valid objects. It parses only the fields that are present, and skips the branches of a
 * union whose required fields are missing. The schema itself parses every field, and collects the issues of every branch.
 */
export function quickParse(schema: Field): QuickParse {
  const branches = branchesOf(schema);
  if (!branches) return () => UNDECIDED;
  return (sent) => {
    if (!isObject(sent)) return UNDECIDED;
    const branch = branches.find(({ required }) => required.every((name) => name in sent));
    return branch ? parseFields(branch, sent) : UNDECIDED;
  };
}

/** A schema of an object. */
interface Branch {
  readonly required: readonly string[];
  readonly fields: readonly (readonly [name: string, schema: Field])[];
}

interface Definition {
  readonly type: string;
  readonly inclusive?: boolean;
  readonly shape?: Readonly<Record<string, Field>>;
  readonly catchall?: Field;
  readonly options?: readonly Field[];
  readonly checks?: readonly unknown[];
}

/** Returns the branches of a union, or the only one of an object; undefined for any other schema. */
function branchesOf(schema: Field): readonly Branch[] | undefined {
  const { type, inclusive = true, options, checks = [] } = definitionOf(schema);
  if (type !== "union" || !inclusive || !options || checks.length > 0) return asList([branchOf(schema)]);
  return asList(options.map(branchOf));
}

function asList(branches: readonly (Branch | undefined)[]): readonly Branch[] | undefined {
  return branches.every((branch) => branch !== undefined) ? branches : undefined;
}

function branchOf(schema: Field): Branch | undefined {
  const { type, shape, catchall, checks = [] } = definitionOf(schema);
  if (type !== "object" || !shape || catchall || checks.length > 0) return undefined;
  const fields = Object.entries(shape);
  const isSimple = Reflect.ownKeys(shape).length === fields.length && fields.every(isSimpleField);
  if (!isSimple) return undefined;
  return { fields, required: fields.filter(([, field]) => field._zod.optin === undefined).map(([name]) => name) };
}

/** Whether a field is required, or contributes nothing when it is absent, as one with a default does. */
function isSimpleField([name, { _zod: field }]: readonly [string, Field]): boolean {
  return (
    name !== "__proto__" && (field.optin === undefined || (field.optin === "optional" && field.optout === "optional"))
  );
}

function parseFields({ fields }: Branch, sent: Fields): unknown {
  const kept: Record<string, unknown> = {};
  const context = { async: false };
  for (const [name, field] of fields) {
    if (!(name in sent)) continue;
    const result = field._zod.run({ value: sent[name], issues: [] }, context);
    if (!("issues" in result) || result.issues.length > 0) return UNDECIDED;
    kept[name] = result.value;
  }
  return kept;
}

function definitionOf(schema: Field): Definition {
  return schema._zod.def as unknown as Definition;
}
