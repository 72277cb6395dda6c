import type { Operation, Schema } from "../../src/contract/index.ts";
import { asError } from "../../src/values/describe.ts";
import { isObject } from "../options/field-types.ts";
import { validate } from "../validation/body-schema.ts";
import type { Problem } from "../validation/problems.ts";
import { isSecret, type Reply } from "./messages.ts";

/** Returns a 422 that lists the problems of a request. */
export function invalid(problems: readonly Problem[]): Reply {
  return { status: 422, isDeclared: true, body: { detail: problems.map(withoutSomeInput) } };
}

/** The maximum length of an `input` in a 422, in characters (G-422-INPUT). */
const MAX_INPUT_LENGTH = 1_000;

/** Leaves out the value of a problem when it is too long to repeat or may be secret, and when it is an object or a list. */
function withoutSomeInput({ input, ...problem }: Problem): Problem {
  if (input === undefined || (typeof input === "object" && input !== null)) return problem;
  const text = String(input);
  const isHidden = text.length > MAX_INPUT_LENGTH || isSecret(problem.loc.join(), text);
  return isHidden ? problem : { ...problem, input };
}

/** Returns a 400 of the authorization lookup (G-AUT-QUERY). */
export function badRequest(error: "invalid_client" | "invalid_scope", description: string): Reply {
  return { status: 400, body: { error, error_description: description } };
}

/** Returns a 404 for an unknown version or path (G-404, G-404-VER). */
export function notFound(): Reply {
  return { status: 404, body: { detail: "Not Found" } };
}

/** Returns a 405 for a method that a path does not have (G-404). */
export function methodNotAllowed(allowed: readonly string[]): Reply {
  return { status: 405, body: { detail: "Method Not Allowed" }, headers: { Allow: allowed.join(", ") } };
}

/** Returns a 429 with an empty body (G-RATE). */
export function tooManyRequests(retryAfterSeconds: number): Reply {
  return { status: 429, headers: { "Retry-After": String(retryAfterSeconds) } };
}

/** Returns a 404 for an unknown id. */
export function resourceNotFound(): Reply {
  return { status: 404, isDeclared: true, body: { error: "ResourceNotFound", detail: "Not found" } };
}

/** Returns a 401 for a request without a credential (G-401). */
export function unauthorized(): Reply {
  const body = { error: "Unauthorized", detail: "Unauthorized" };
  return { status: 401, isDeclared: true, body, headers: challenge({}) };
}

/** Returns a 401 for an invalid credential (G-401-BAD). */
export function invalidToken(description: string): Reply {
  const body = { error: "invalid_token", error_description: description };
  return { status: 401, isDeclared: true, body, headers: challenge(body) };
}

/** Returns a 403 for a credential without a required scope (G-403). */
export function insufficientScope(scopes: readonly string[]): Reply {
  const required = `${scopes.length > 1 ? "one of the scopes" : "the scope"} ${scopes.join(", ")}`;
  return forbidden(`The request requires ${required}.`, { scope: scopes.join(" ") });
}

/** Returns a 403 with the only code that RFC 6750 has for it, and with the parameters of its challenge. */
export function forbidden(description: string, parameters: Record<string, string> = {}): Reply {
  const body = { error: "insufficient_scope", error_description: description };
  return { status: 403, isDeclared: true, body, headers: challenge({ ...body, ...parameters }) };
}

/** Returns a 413 for a body that is too large (G-413). */
export function tooLarge(detail: string): Reply {
  return { status: 413, body: { error: "RequestBodyTooLarge", detail } };
}

/** Returns a 500 for a request on which the mock itself failed. */
export function mockFailure(error: unknown): Reply {
  return { status: 500, body: { error: "MockFailure", detail: asError(error).message.slice(0, MAX_MESSAGE) } };
}

const MAX_MESSAGE = 500;

/** Returns a 501 for an operation that only a given contract has. */
export function notImplemented(id: string, known: readonly string[]): Reply {
  const detail = `The mock does not implement the operation "${id}" from your contract. It implements: ${known.join(", ")}.`;
  return { status: 501, body: { error: "NotImplemented", detail } };
}

/** Returns a 507, after which nothing of a batch is stored (RFC 4918, section 11.5; G-STORE). */
export function storageFull(maxEvents: number): Reply {
  const detail = `The mock stores at most ${maxEvents} events. Reset it, or raise maxEvents (--max-events).`;
  return { status: 507, body: { error: "InsufficientStorage", detail } };
}

/** The statuses of Node.js's errors with what is not a request, or arrives too slowly. Their responses are empty. */
export const SOCKET_ERRORS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/**
 * Returns the status of a failure in an operation: the usual one, unless the contract declares such a body only with
 * another status (specification, section 9.1).
 */
export function declaredStatus({ status, body }: Reply, { failures }: Operation): number {
  if (Object.hasOwn(failures, status)) return status;
  const declared = Object.entries(failures) as [string, Schema][];
  const instead = declared.find(([, schema]) => defines(schema, body));
  return instead ? Number(instead[0]) : status;
}

/** Whether a schema defines every field of a body. */
function defines(schema: Schema, body: unknown): boolean {
  const { value, issues } = validate(schema, body);
  return !issues && isObject(body) && isObject(value) && Object.keys(body).every((name) => Object.hasOwn(value, name));
}

/** Returns the challenge of a rejected request (RFC 6750, section 3). */
function challenge(parameters: Record<string, string>): Record<string, string> {
  const written = Object.entries({ realm: "billing-service", ...parameters }).map(
    ([name, value]) => `${name}="${value}"`,
  );
  return { "WWW-Authenticate": `Bearer ${written.join(", ")}` };
}
