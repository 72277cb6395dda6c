import type { Operation, Schema } from "../../src/contract/index.ts";
import type { Assumptions } from "../assumptions/assumptions.ts";
import type { JsonBody } from "../options/json-body.ts";
import { isObject } from "../options/shape.ts";
import type { Problem } from "../validation/problems.ts";
import { validate } from "../validation/validate.ts";
import type { Reply } from "./response.ts";

/** Returns a 422 that lists the problems of a request. */
export function invalid(problems: readonly Problem[], policy: Assumptions, status: number | null = null): Reply {
  const detail = problems.map((problem) => withoutLongInput(problem, policy));
  return { ...statusOf(status, 422), body: { detail } };
}

/** Leaves out the value of a problem when it is too long to repeat (G-422-INPUT). */
function withoutLongInput({ input, ...problem }: Problem, { maxInputLength }: Assumptions): Problem {
  return input === undefined || isLongerJson(input, maxInputLength) ? problem : { ...problem, input };
}

/** Returns whether the JSON of a value has more than `max` characters. Looks no further into the value than that needs. */
function isLongerJson(value: unknown, max: number): boolean {
  return remaining(value, max) < 0 || JSON.stringify(value).length > max;
}

/** Subtracts the least number of characters that a JSON value takes from `room`, and stops below zero. */
function remaining(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length - 2;
  if (typeof value !== "object" || value === null) return room - 1;
  let left = room - 1;
  for (const name in value) {
    left = remaining((value as Record<string, unknown>)[name], left - (Array.isArray(value) ? 1 : name.length + 4));
    if (left < 0) return left;
  }
  return left;
}

/** Returns a 404 for an unknown id. */
export function resourceNotFound(): Reply {
  return { ...statusOf(null, 404), body: { error: "ResourceNotFound", detail: "Not found" } };
}

/** Returns a 401 for a request without a credential (G-401). */
export function unauthorized(): Reply {
  const body = { error: "Unauthorized", detail: "Unauthorized" };
  return { ...statusOf(null, 401), body, headers: challenge({}) };
}

/** Returns a 401 for an invalid credential (G-401-BAD). */
export function invalidToken(description: string, { invalidTokenStatus }: Assumptions): Reply {
  const body = { error: "invalid_token", error_description: description };
  return { ...statusOf(invalidTokenStatus, 401), body, headers: challenge(body) };
}

/** Returns a 403 for a credential without a required scope (G-403). */
export function insufficientScope(scopes: readonly string[], { insufficientScopeStatus }: Assumptions): Reply {
  const description = `The request requires ${scopes.length > 1 ? "one of the scopes" : "the scope"} ${scopes.join(", ")}.`;
  const body = { error: "insufficient_scope", error_description: description };
  return {
    ...statusOf(insufficientScopeStatus, 403),
    body,
    headers: challenge({ ...body, scope: scopes.join(" ") }),
  };
}

/** Returns a 413 for a body that is too large (G-413). */
export function tooLarge(detail: string): Reply {
  return { status: 413, body: { error: "RequestBodyTooLarge", detail } };
}

/** Returns an error response with a fixed body. */
export function errorResponse(status: number, body: JsonBody, headers?: Record<string, string>): Reply {
  return headers ? { status, body, headers } : { status, body };
}

/** Returns the assumed status; without one, the status that the contract declares, or else the usual one. */
function statusOf(assumed: number | null, usual: number): Pick<Reply, "status" | "isDeclared"> {
  return assumed === null ? { status: usual, isDeclared: true } : { status: assumed };
}

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
