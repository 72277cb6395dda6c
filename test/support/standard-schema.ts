import type { StandardResult, StandardSchema } from "../../src/contract/index.ts";

/** Creates a Standard Schema without a library. */
export function standardSchema<Value>(
  validate: (value: unknown) => StandardResult<Value> | Promise<StandardResult<Value>>,
): StandardSchema<Value> {
  return { "~standard": { version: 1, vendor: "by-hand", validate } };
}
