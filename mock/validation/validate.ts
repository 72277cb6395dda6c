import * as z from "zod/mini";
import type { Schema, StandardIssue, ZodSchema } from "../../src/contract/index.ts";
import { listFirst } from "../../src/errors/describe-value.ts";
import { type Issues, problemsOf } from "./schema-problems.ts";

/** The result of a validation: what the schema keeps of the value, or its issues in the form of zod. */
export type Validated =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: Issues };

/**
 * Validates a value with a schema of a contract. The schema may come from any library that implements Standard Schema.
 *
 * @throws An error if the schema validates asynchronously.
 */
export function validate(schema: Schema, value: unknown): Validated {
  return isZodSchema(schema) ? validateWithZod(schema, value) : validateStandard(schema, value);
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

/** Whether a schema comes from zod 4. Its issues have codes, and say more than those of a Standard Schema. */
function isZodSchema(schema: Schema): schema is ZodSchema {
  return "_zod" in schema && "safeParse" in schema;
}

function validateWithZod(schema: ZodSchema, value: unknown): Validated {
  const { success, data, error } = schema.safeParse(value);
  return success ? { value: data } : { issues: error.issues };
}

function validateStandard(schema: Schema, value: unknown): Validated {
  const { "~standard": standard } = schema;
  const result = standard.validate(value);
  if ("then" in result) {
    Promise.resolve(result).catch(() => {});
    throw new TypeError(
      `A schema of "${standard.vendor}" in the contract validates asynchronously. It must be synchronous.`,
    );
  }
  if (!result.issues) return { value: result.value };
  const issues = result.issues.length === 0 ? [{ message: "Invalid input" }] : result.issues;
  return { issues: issues.map(toIssue) };
}

function toIssue({ message, path = [] }: StandardIssue): Issues[number] {
  const keys = path.map((segment) => (typeof segment === "object" ? segment.key : segment));
  return { code: "custom", message: String(message), path: keys };
}

/** One object for each copy of zod. */
const { version } = z.any()._zod;

/** Whether a schema was built by the copy of zod in this package, so that code may look into its definition. */
export function isOwnSchema(schema: Schema): schema is ZodSchema {
  return (schema as Partial<ZodSchema>)._zod?.version === version;
}
