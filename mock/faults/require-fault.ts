import { anything, text } from "../options/field-kinds.ts";
import { formatValue, isObject, requireShape, type Shape, unknownName } from "../options/shape.ts";
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
  ["status", (value: number) => isInteger(value, 200) && value <= 599, "an integer from 200 to 599"],
  ["headers", isObject, "an object"],
  ["delay", (value: unknown) => isBetween(value, 0, 2 ** 31 - 1), "a number of milliseconds from 0 to 2147483647"],
  ["retryAfter", (value: number) => isInteger(value, 0), "an integer of at least 0, in seconds"],
  ["kind", (value: string) => Object.hasOwn(KINDS, value), `one of ${Object.keys(KINDS).join(", ")}`],
  ["skip", (value: number) => isInteger(value, 0), "an integer of at least 0"],
  ["times", (value: number) => isInteger(value, 1), "an integer of at least 1"],
  ["probability", (value: unknown) => isBetween(value, 0, 1), "a number from 0 to 1"],
];

/** Each field has a rule above, except the name of the operation and the body. */
const FIELDS: Shape = {
  operation: text,
  body: anything,
  ...Object.fromEntries(RULES.map(([field]) => [field, anything])),
};

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
  if (input.status === undefined && (input.body !== undefined || input.headers !== undefined)) {
    throw new TypeError("fault: set `status` with `body` and `headers`.");
  }
  if (input.status === undefined && input.kind === undefined && input.delay === undefined) {
    throw new TypeError("fault: set `status`, `kind` or `delay`; the fault would have no effect without one.");
  }
  if (input.status !== undefined && input.kind !== undefined) {
    throw new TypeError("fault: set `status` or `kind`, not both.");
  }
  if (input.status !== undefined) requireAnswer(input.status, input);
}

/** The statuses whose responses have no body (RFC 9110). */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

/** Headers that the server derives from the body and the connection. */
const DERIVED = /^(content-length|transfer-encoding|connection|keep-alive|upgrade|trailer|te)$/i;

function requireAnswer(status: number, { body, headers = {} }: FaultInput): void {
  const fail = (problem: string) => {
    throw new TypeError(`fault: ${problem}`);
  };
  if (body !== undefined && WITHOUT_BODY.includes(status))
    fail(`a response with the status ${status} has no \`body\`.`);
  for (const name of Object.keys(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) fail(`\`headers\` has the invalid name ${JSON.stringify(name)}.`);
    if (DERIVED.test(name)) fail(`the header \`${name}\` follows from the body and the connection; leave it out.`);
    const value: unknown = headers[name];
    const isValid = typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
    if (!isValid) fail(`the header \`${name}\` must have a value without control characters, in Latin-1.`);
  }
}

function isInteger(value: unknown, min: number): boolean {
  return Number.isInteger(value) && (value as number) >= min;
}

function isBetween(value: unknown, min: number, max: number): boolean {
  return typeof value === "number" && value >= min && value <= max;
}
