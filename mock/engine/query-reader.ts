import type * as z from "zod/mini";
import type { Schema, ZodSchema } from "../../src/contract/index.ts";
import type { Route } from "../operations/request-context.ts";
import { isOwnSchema, validate } from "../validation/validate.ts";

/** Creates a function that parses a query string. Values become numbers where the schema expects numbers. */
export function createQueryReader(schema: Schema | undefined): Route["readQuery"] {
  if (schema && !isOwnSchema(schema))
    return (search) => withNumbers(readFields(search), rejectedFields(schema, search));
  const numbers = new Set(schema ? numericFields(schema) : []);
  return (search) => withNumbers(readFields(search), numbers);
}

function readFields(search: string): Record<string, unknown> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Converts the given fields to numbers where they look like numbers. */
function withNumbers(fields: Record<string, unknown>, numbers: ReadonlySet<unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(fields)) {
    if (numbers.has(name) && /^-?\d+(\.\d+)?$/.test(String(value))) fields[name] = Number(value);
  }
  return fields;
}

/** Returns the fields that a schema rejects as strings: those of another library do not say where they expect numbers. */
function rejectedFields(schema: Schema, search: string): ReadonlySet<unknown> {
  const { issues = [] } = validate(schema, readFields(search));
  return new Set(issues.map(({ path }) => path[0]));
}

function numericFields(schema: ZodSchema): string[] {
  const { shape = {} } = schema as unknown as Partial<z.ZodMiniObject>;
  return Object.keys(shape).filter((name) => kindOf(shape[name] as z.ZodMiniType) === "number");
}

function kindOf(schema: z.ZodMiniType): string {
  const { def } = schema as { def: { type: string; innerType?: z.ZodMiniType } };
  return def.innerType ? kindOf(def.innerType) : def.type;
}
