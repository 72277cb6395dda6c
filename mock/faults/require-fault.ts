import { MAX_DELAY } from "../clock/timers.ts";
import { WITHOUT_BODY } from "../http/response.ts";
import {
  anything,
  type FieldType,
  from,
  integerFrom,
  object,
  oneOf,
  requireShape,
  status,
  text,
  unknownName,
} from "../options/options.ts";
import type { FaultInput, FaultKind } from "./fault.ts";
import { FAILURES } from "./lose-response.ts";

/** Every kind; the types name one that is missing. */
const KINDS: Readonly<Record<FaultKind, unknown>> = { ...FAILURES, timeout: 0, malformed: 0, truncated: 0 };

const FIELDS: Readonly<Record<keyof FaultInput, FieldType>> = {
  operation: text,
  status,
  body: anything,
  headers: object,
  delay: from(0, MAX_DELAY),
  retryAfter: integerFrom(0),
  kind: oneOf(...Object.keys(KINDS)),
  skip: integerFrom(0),
  times: integerFrom(1),
  probability: from(0, 1),
};

/**
 * Checks a fault to inject.
 *
 * @throws TypeError for an invalid field, an unknown operation, and a fault without any effect.
 */
export function requireFault(input: FaultInput, operations: ReadonlySet<string>): void {
  requireShape("fault", input, FIELDS);
  const { operation, status, kind, delay, body, headers, retryAfter } = input;
  if (operation !== undefined && !operations.has(operation)) fail(unknownName("operation", operation, [...operations]));
  if (status === undefined) {
    if ([body, headers, retryAfter].some((field) => field !== undefined))
      fail("set `status` with `body`, `headers` and `retryAfter`.");
    if (kind === undefined && delay === undefined)
      fail("set `status`, `kind` or `delay`; the fault would have no effect without one.");
    return;
  }
  if (kind !== undefined) fail("set `status` or `kind`, not both.");
  requireResponse(status, input);
}

function fail(problem: string): never {
  throw new TypeError(`fault: ${problem}`);
}

/** Headers that the server derives from the body and the connection. */
const DERIVED = /^(content-length|transfer-encoding|connection|keep-alive|upgrade|trailer|te)$/i;

function requireResponse(status: number, { body, headers = {} }: FaultInput): void {
  if (body !== undefined && WITHOUT_BODY.has(status)) fail(`a response with the status ${status} has no \`body\`.`);
  for (const name of Object.keys(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) fail(`\`headers\` has the invalid name ${JSON.stringify(name)}.`);
    if (DERIVED.test(name)) fail(`the header \`${name}\` follows from the body and the connection; leave it out.`);
    const value: unknown = headers[name];
    const isValid = typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
    if (!isValid) fail(`the header \`${name}\` must have a value without control characters, in Latin-1.`);
  }
}
