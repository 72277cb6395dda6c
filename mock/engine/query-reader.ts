import type * as z from "zod/mini";
import type { Schema } from "../../src/contract/index.ts";
import type { Route } from "../operations/request-context.ts";

/** Creates a function that parses a query string. Values become numbers where the schema expects numbers. */
export function createQueryReader(schema: Schema | undefined): Route["readQuery"] {
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
