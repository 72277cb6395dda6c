import type { Operation, Schema } from "../../src/contract/index.ts";
import type { Assumptions, JsonBody } from "../assumptions/assumptions.ts";
import { isObject } from "../options/shape.ts";
import type { Reply } from "./exchange.ts";

/** One thing that is wrong with a request, as the service reports it (specification, section 2.5). */
export interface Problem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** 422: what is wrong with the request. */
export function invalid(problems: readonly Problem[], { validationTypes }: Assumptions, status?: number): Reply {
  const detail = problems.map((problem) => ({ ...problem, type: validationTypes[problem.type] ?? problem.type }));
  return { ...statusOf(status, 422), body: { detail } };
}

/** 404: the thing asked for does not exist. */
export function resourceNotFound({ resourceNotFoundDetail: detail }: Assumptions): Reply {
  return { ...statusOf(undefined, 404), body: { error: "ResourceNotFound", detail } };
}

/** 401 without a credential (G-401). */
export function unauthorized({ unauthorized: { body, realm } }: Assumptions): Reply {
  return { ...statusOf(undefined, 401), body, headers: challenge({ realm }) };
}

/** 401 with a credential that is not accepted (G-401-BAD). */
export function invalidToken(description: string, assumptions: Assumptions): Reply {
  const { unauthorized, invalidTokenStatus, invalidTokenBody } = assumptions;
  const parameters = { realm: unauthorized.realm, error: "invalid_token", error_description: description };
  const body = filled(invalidTokenBody, description);
  return { ...statusOf(invalidTokenStatus, 401), body, headers: challenge(parameters) };
}

/** 403: the credential lacks the scope (G-403). */
export function insufficientScope(scopes: readonly string[], assumptions: Assumptions): Reply {
  const { unauthorized, insufficientScopeStatus, insufficientScopeBody } = assumptions;
  const description = `The request requires ${scopes.length > 1 ? "one of the scopes" : "the scope"} ${scopes.join(", ")}.`;
  return {
    ...statusOf(insufficientScopeStatus, 403),
    body: filled(insufficientScopeBody, description),
    headers: challenge({
      realm: unauthorized.realm,
      error: "insufficient_scope",
      error_description: description,
      scope: scopes.join(" "),
    }),
  };
}

/** 413: the body is too large (G-413). */
export function tooLarge(limit: number, { tooLargeBody }: Assumptions): Reply {
  return { status: 413, body: filled(tooLargeBody, `The body is larger than ${limit} bytes.`) };
}

/** A refusal whose body an assumption gives. */
export function refusal(status: number, body: JsonBody, headers?: Record<string, string>): Reply {
  return headers ? { status, body, headers } : { status, body };
}

/** The status that an assumption sets; without one, the contract's, and the usual one where it declares none. */
function statusOf(assumed: number | undefined, usual: number): Pick<Reply, "status" | "isDeclared"> {
  return assumed === undefined ? { status: usual, isDeclared: true } : { status: assumed };
}

/**
 * The status of a failure in an operation: the usual one, or where the contract does not declare that, the one that it
 * declares with such a body (specification, section 9.1).
 */
export function declaredStatus({ status, body }: Reply, { failures }: Operation): number {
  if (Object.hasOwn(failures, status)) return status;
  const declared = Object.entries(failures) as [string, Schema][];
  const instead = declared.find(([, schema]) => describes(schema, body));
  return instead ? Number(instead[0]) : status;
}

/** Whether a schema knows every field of a body. */
function describes(schema: Schema, body: unknown): boolean {
  const { success, data } = schema.safeParse(body);
  return success && isObject(body) && isObject(data) && Object.keys(body).every((name) => Object.hasOwn(data, name));
}

/** A body of an assumption with the text of this failure in it. */
function filled(body: JsonBody, description: string): JsonBody {
  const fill = (value: unknown) =>
    typeof value === "string" ? value.replaceAll("{description}", () => description) : value;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, fill(value)]));
}

/** The challenge of a refused request (RFC 6750, section 3). */
function challenge(parameters: Record<string, string>): Record<string, string> {
  const written = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return { "WWW-Authenticate": `Bearer ${written.join(", ")}` };
}
