import type { Schema, StandardIssue, StandardResult } from "../../src/contract/index.ts";

type Check = (value: unknown) => string | undefined;

/** Creates a Standard Schema without a library. */
export function standardSchema<Value>(
  validate: (value: unknown) => StandardResult<Value> | Promise<StandardResult<Value>>,
): Schema<Value> {
  return { "~standard": { version: 1, vendor: "by-hand", validate } };
}

/** Creates the schema of an object. Each field has a check that returns the problem of its value. Other fields are left out. */
export function standardObject(checks: Readonly<Record<string, Check>>): Schema<never> {
  return standardSchema((value) => {
    const fields = Object(value) as Record<string, unknown>;
    const issues: StandardIssue[] = Object.entries(checks).flatMap(([name, check]) => {
      const message = check(fields[name]);
      return message === undefined ? [] : [{ message, path: [{ key: name }] }];
    });
    if (issues.length > 0) return { issues };
    return { value: Object.fromEntries(Object.keys(checks).map((name) => [name, fields[name]])) as never };
  });
}

/** Accepts any value. */
export const any: Check = () => undefined;
/** Accepts strings. */
export const text: Check = (value) => (typeof value === "string" ? undefined : "Expected a string");
/** Accepts numbers. */
export const count: Check = (value) => (typeof value === "number" ? undefined : "Expected a count");
