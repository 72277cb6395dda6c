import * as z from "zod/mini";
import type { Schema, ZodSchema } from "../../src/contract/index.ts";

/** One object for each copy of zod. */
const { version } = z.any()._zod;

/** Whether a schema was built by the copy of zod in this package, so that code may look into its definition. */
export function isOwnSchema(schema: Schema): schema is ZodSchema {
  return (schema as Partial<ZodSchema>)._zod?.version === version;
}
