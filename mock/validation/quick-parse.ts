import type * as z from "zod/mini";
import { isObject } from "../options/shape.ts";

type Field = z.core.$ZodType;
type Fields = Readonly<Record<string, unknown>>;

/** Means that the schema itself must parse a value. */
export const UNDECIDED: unique symbol = Symbol("undecided");

/** Returns exactly what a schema keeps of a valid value: the value itself if it keeps all of it; or `UNDECIDED`. */
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
    for (const branch of branches) if (hasAll(branch.required, sent)) return parseFields(branch, sent);
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
  const required = fields.filter(([, field]) => field._zod.optin === undefined).map(([name]) => name);
  return { fields, required, byName: new Map(fields) };
}

/** Whether a field is required, or contributes nothing when it is absent, as one with a default does. */
function isSimpleField([name, { _zod: field }]: readonly [string, Field]): boolean {
  if (name in Object.prototype) return false;
  return field.optin === undefined || (field.optin === "optional" && field.optout === "optional");
}

/** Returns the object itself where it can, because copies of a large batch take much time and memory. */
function parseFields(branch: Branch, sent: Fields): unknown {
  return keepsAll(branch, sent) ? sent : copyFields(branch, sent);
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

function definitionOf(schema: Field): Definition {
  return schema._zod.def as unknown as Definition;
}
