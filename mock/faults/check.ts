import { anything, text } from "../options/field-kinds.ts";
import { formatValue, requireShape, type Shape } from "../options/shape.ts";
import type { FaultInput, FaultKind } from "./fault.ts";

const KINDS: Readonly<Record<FaultKind, true>> = {
  reset: true,
  "empty-reply": true,
  "bad-status-line": true,
  timeout: true,
  malformed: true,
  truncated: true,
};

type Rule = readonly [field: keyof FaultInput, isRight: (value: never) => boolean, wanted: string];

const RULES: readonly Rule[] = [
  ["status", (value: number) => Number.isInteger(value) && value >= 400 && value <= 599, "from 400 to 599"],
  ["delay", (value: unknown) => typeof value === "number" && value >= 0 && value < 2 ** 31, "a number of milliseconds"],
  ["retryAfter", (value: number) => Number.isInteger(value) && value >= 0, "a whole number of seconds"],
  ["kind", (value: string) => Object.hasOwn(KINDS, value), `one of ${Object.keys(KINDS).join(", ")}`],
  ["skip", (value: number) => Number.isInteger(value) && value >= 0, "an integer from 0"],
  ["times", (value: number) => Number.isInteger(value) && value >= 1, "a whole number from 1"],
  ["probability", (value: unknown) => typeof value === "number" && value >= 0 && value <= 1, "from 0 to 1"],
];

/** Each field has a rule above, but for the name of an operation. */
const FIELDS: Shape = { operation: text, ...Object.fromEntries(RULES.map(([field]) => [field, anything])) };

/** Refuses a fault that could not strike, or not as its fields say. */
export function checkFault(input: FaultInput, operations: ReadonlySet<string>): void {
  requireShape("fault", input, FIELDS);
  for (const [field, isRight, wanted] of RULES) {
    const value = input[field];
    if (value === undefined || isRight(value as never)) continue;
    throw new TypeError(`fault: ${field} must be ${wanted}, not ${formatValue(value)}.`);
  }
  if (input.operation !== undefined && !operations.has(input.operation)) {
    throw new TypeError(`fault: there is no operation "${input.operation}"; there are ${[...operations].join(", ")}.`);
  }
  if (input.status === undefined && input.kind === undefined && input.delay === undefined) {
    throw new TypeError("fault: give it a status, a kind or a delay; otherwise nothing would fail.");
  }
  if (input.status !== undefined && input.kind !== undefined) {
    throw new TypeError("fault: status and kind exclude each other.");
  }
}
