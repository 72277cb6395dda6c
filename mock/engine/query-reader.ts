import type * as z from "zod/mini";
import type { Schema } from "../../src/contract/index.ts";

/** Reads a query string into the values that the contract's schema checks. */
export type QueryReader = (search: string) => Record<string, unknown>;

/** Makes the reader of an operation's query: numbers are written as text there, and the schema says which are meant. */
export function queryReader(schema: Schema | undefined): QueryReader {
  const numbers = new Set(schema ? numericFields(schema) : []);
  return (search) => {
    const values: Record<string, unknown> = {};
    for (const [name, value] of new URLSearchParams(search)) {
      values[name] = numbers.has(name) && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    }
    return values;
  };
}

function numericFields(schema: Schema): string[] {
  const { shape } = schema as unknown as z.ZodMiniObject;
  return Object.keys(shape).filter((name) => kindOf(shape[name] as z.ZodMiniType) === "number");
}

function kindOf(schema: z.ZodMiniType): string {
  const { def } = schema as { def: { type: string; innerType?: z.ZodMiniType } };
  return def.innerType ? kindOf(def.innerType) : def.type;
}
