import type { Assumptions, JsonBody } from "../assumptions.ts";
import type { Reply } from "./exchange.ts";

/** One thing that is wrong with a request, as the service reports it (specification, section 2.5). */
export interface Problem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** 422: everything that is wrong with the request. */
export function invalid(problems: readonly Problem[], { validationTypes }: Assumptions, status = 422): Reply {
  const detail = problems.map((problem) => ({ ...problem, type: validationTypes[problem.type] ?? problem.type }));
  return { status, body: { detail } };
}

/** 404: the thing asked for does not exist. */
export function resourceNotFound(): Reply {
  return { status: 404, body: { error: "ResourceNotFound", detail: "Not found" } };
}

/** 401 without a credential (G-401). */
export function unauthorized({ unauthorized: { body, realm } }: Assumptions): Reply {
  return { status: 401, body, headers: challenge({ realm }) };
}

/** 401 with a credential that is not accepted (G-401-BAD). */
export function invalidToken(description: string, assumptions: Assumptions): Reply {
  const { unauthorized, invalidTokenStatus } = assumptions;
  const error = "invalid_token";
  return {
    status: invalidTokenStatus,
    body: { error, error_description: description },
    headers: challenge({ realm: unauthorized.realm, error, error_description: description }),
  };
}

/** 403: the credential lacks the scope (G-403). */
export function insufficientScope(scopes: readonly string[], assumptions: Assumptions): Reply {
  const { unauthorized, insufficientScopeStatus } = assumptions;
  const error = "insufficient_scope";
  const description = `The request requires ${scopes.length > 1 ? "one of the scopes" : "the scope"} ${scopes.join(", ")}.`;
  return {
    status: insufficientScopeStatus,
    body: { error, error_description: description },
    headers: challenge({
      realm: unauthorized.realm,
      error,
      error_description: description,
      scope: scopes.join(" "),
    }),
  };
}

/** A refusal whose body an assumption gives. */
export function refusal(status: number, body: JsonBody, headers?: Record<string, string>): Reply {
  return headers ? { status, body, headers } : { status, body };
}

/** The challenge of a refused request (RFC 6750, section 3). */
function challenge(parameters: Record<string, string>): Record<string, string> {
  const written = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return { "WWW-Authenticate": `Bearer ${written.join(", ")}` };
}
