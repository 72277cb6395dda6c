import type { Schema, ZodSchema } from "../../src/contract/index.ts";
import { listFirst } from "../../src/errors/describe-value.ts";
import { type Issues, problemsOf } from "./schema-problems.ts";

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
 * @param what Names the value in the error.
 * @throws TypeError if the value does not match.
 */
export function requireValid(schema: Schema, value: unknown, what: string): unknown {
  const checked = validate(schema, value);
  if (!checked.issues) return checked.value;
  const found = problemsOf(checked.issues, value, []);
  const problems = listFirst(found, ({ loc, msg }) => `${loc.join(".") || "body"}: ${msg}`);
  throw new TypeError(`${what} does not match the contract: ${problems}`);
}
