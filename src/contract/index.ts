import type * as z from "zod/mini";

export type * from "./contract.ts";

/** A schema of the package's own contracts. It does not transform: its input and output have the same type. */
export type ZodSchema<Value = unknown> = z.ZodMiniType<Value, Value>;
