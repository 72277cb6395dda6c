import { anything, text } from "../options/field-kinds.ts";
import { formatValue, requireShape, type Shape, unknownName } from "../options/shape.ts";
import type { FaultInput, FaultKind } from "./fault.ts";

const KINDS: Readonly<Record<FaultKind, true>> = {
  reset: true,
  "empty-reply": true,
  "bad-status-line": true,
  timeout: true,
  malformed: true,
  truncated: true,
};

type Rule = readonly [field: keyof FaultInput, isValid: (value: never) => boolean, expected: string];

const RULES: readonly Rule[] = [
  ["status", (value: number) => isInteger(value, 400) && value <= 599, "an integer from 400 to 599"],
  ["delay", (value: unknown) => isBetween(value, 0, 2 ** 31 - 1), "a number of milliseconds from 0 to 2147483647"],
  ["retryAfter", (value: number) => isInteger(value, 0), "an integer of at least 0, in seconds"],
  ["kind", (value: string) => Object.hasOwn(KINDS, value), `one of ${Object.keys(KINDS).join(", ")}`],
  ["skip", (value: number) => isInteger(value, 0), "an integer of at least 0"],
  ["times", (value: number) => isInteger(value, 1), "an integer of at least 1"],
  ["probability", (value: unknown) => isBetween(value, 0, 1), "a number from 0 to 1"],
];

/** Each field has a rule above, except the name of the operation. */
const FIELDS: Shape = { operation: text, ...Object.fromEntries(RULES.map(([field]) => [field, anything])) };

/**
 * Checks a fault to inject.
 *
 * @throws TypeError for an invalid field, an unknown operation, and a fault without any effect.
 */
export function requireFault(input: FaultInput, operations: ReadonlySet<string>): void {
  requireShape("fault", input, FIELDS);
  for (const [field, isValid, expected] of RULES) {
    const value = input[field];
    if (value === undefined || isValid(value as never)) continue;
    throw new TypeError(`fault: \`${field}\` must be ${expected}; received ${formatValue(value)}.`);
  }
  if (input.operation !== undefined && !operations.has(input.operation)) {
    throw new TypeError(`fault: ${unknownName("operation", input.operation, [...operations])}`);
  }
  if (input.status === undefined && input.kind === undefined && input.delay === undefined) {
    throw new TypeError("fault: set `status`, `kind` or `delay`; the fault would have no effect without one.");
  }
  if (input.status !== undefined && input.kind !== undefined) {
    throw new TypeError("fault: set `status` or `kind`, not both.");
  }
}

function isInteger(value: unknown, min: number): boolean {
  return Number.isInteger(value) && (value as number) >= min;
}

function isBetween(value: unknown, min: number, max: number): boolean {
  return typeof value === "number" && value >= min && value <= max;
}
