import type { Assumptions } from "../assumptions/assumptions.ts";
import { insufficientScope, invalid, invalidToken, tooLarge, unauthorized } from "../http/error-response.ts";
import type { Reply } from "../http/response.ts";
import { handlers } from "../operations/index.ts";
import type { OperationContext, RequestContext, Route } from "../operations/operation.ts";
import { isObject } from "../options/options.ts";
import type { Credential } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { validate } from "../validation/body-schema.ts";
import { parseBody } from "../validation/parse-body.ts";
import { addExtraProblems, addIgnored, ProblemList } from "../validation/problems.ts";
import { problemsOf } from "../validation/schema-problems.ts";
import { routesOf } from "./routes.ts";

/** Checks a request: a reply ends the pipeline, undefined continues it. */
export type RequestCheck = (
  context: RequestContext,
  assumptions: Assumptions,
) => Reply | undefined | Promise<Reply | undefined>;

/** The checks of a request, in order (G-ORDER): the first check that fails determines the response. */
export const checks: readonly RequestCheck[] = [
  requireVersion,
  readRequestText,
  countRequest,
  identify,
  requireRoute,
  authenticate,
  (context) => requireScope(context as OperationContext),
  readParameters,
  (context) => readBody(context as OperationContext),
];

function requireVersion({ contract }: RequestContext): Reply | undefined {
  return contract ? undefined : NOT_FOUND;
}

/** The response to an unknown version or path (G-404, G-404-VER). */
const NOT_FOUND: Reply = { status: 404, body: { detail: "Not Found" } };

/** Returns the response to a method that a path does not have (G-404). */
function methodNotAllowed(allowed: readonly string[]): Reply {
  return { status: 405, body: { detail: "Method Not Allowed" }, headers: { Allow: allowed.join(", ") } };
}

/**
 * Rejects a request over the rate limit with a 429, an empty body and `Retry-After` in seconds (G-RATE). Requests without a
 * valid credential are counted together, so that unknown tokens take no memory.
 */
function countRequest(context: RequestContext, { rateLimit }: Assumptions): Reply | undefined {
  if (rateLimit === null) return undefined;
  identify(context);
  // By the current time: this request may have waited for its body while later ones were counted.
  const { rates, clock } = context.state;
  const seconds = rates.count(context.credential?.token ?? "", clock.now(), rateLimit);
  return seconds === undefined ? undefined : { status: 429, headers: { "Retry-After": String(seconds) } };
}

/** Finds the operation of a request before the first check, for the journal, faults and the statuses of its contract. */
export function findRoute(context: RequestContext): void {
  const match = context.contract && routesOf(context.contract).find(context.method, context.path);
  if (!match || !isServed(match.route, context)) return;
  context.route = match.route;
  context.pathParameters = match.parameters;
}

function requireRoute(context: RequestContext): Reply | undefined {
  if (context.route) return undefined;
  const { contract, path } = context as OperationContext;
  const others = routesOf(contract)
    .at(path)
    .filter((route) => isServed(route, context));
  if (others.length === 0) return discover(context as OperationContext) ?? NOT_FOUND;
  return methodNotAllowed(others.map(({ operation }) => operation.method));
}

function isServed({ operation }: Route, { assumptions }: RequestContext): boolean {
  return handlers.get(operation.id)?.isServed?.(assumptions) ?? true;
}

function readParameters(context: RequestContext): Reply | undefined {
  const { operation, readQuery } = context.route as Route;
  const { pathParameters, search } = context;
  const { path } = operation.request;
  const { issues } = path ? validate(path, pathParameters) : {};
  if (issues) return invalid(problemsOf(issues, pathParameters, ["path"]));
  const fields = readQuery(search);
  const query = operation.request.query ? validate(operation.request.query, fields) : { value: {} };
  if (query.issues) {
    const sent = Object.fromEntries(new URLSearchParams(search));
    return invalid(problemsOf(query.issues, sent, ["query"]));
  }
  context.query = query.value;
  if (search === "") return undefined;
  context.ignored = new Set();
  addIgnored(fields, query.value, "query", context.ignored);
  return undefined;
}

/** Looks up the token of a request. A request without a token passes; `authenticate` rejects it later. */
function identify(context: RequestContext): Reply | undefined {
  const token = /^bearer +(\S+) *$/i.exec(context.request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined) return undefined;
  const credential = context.state.tables.credentials.get(token);
  const problem = problemOf(credential, context.receivedAt, context.state);
  if (problem !== undefined) return invalidToken(problem);
  context.credential = credential as Credential;
  return undefined;
}

function problemOf(credential: Credential | undefined, now: number, { tables }: State): string | undefined {
  if (credential === undefined) return "The access token is unknown.";
  if (credential.revoked) return "The access token was revoked.";
  if (credential.expires_at !== null && credential.expires_at <= now) return "The access token has expired.";
  const { user_id, organization_id } = credential;
  const owned = organization_id === null ? tables.users.has(user_id ?? "") : tables.organizations.has(organization_id);
  return owned ? undefined : "The owner of the access token does not exist.";
}

/** Rejects a request without a credential, or with a kind of credential that the operation does not accept. */
function authenticate({ credential, route }: RequestContext): Reply | undefined {
  if (credential === undefined) return unauthorized();
  const { schemes } = (route as Route).operation.security;
  if (schemes.includes(credential.type)) return undefined;
  const description = `The operation accepts ${schemes.join(" and ")} credentials, not ${credential.type}.`;
  return invalidToken(description);
}

/** Rejects a credential without any of the scopes of which the operation requires one. */
function requireScope({ credential, route }: OperationContext): Reply | undefined {
  const { scopes } = route.operation.security;
  if (scopes.length === 0 || scopes.some((scope) => credential.scopes.includes(scope))) return undefined;
  return insufficientScope(scopes);
}

/**
 * Answers a request for the discovery document of OpenID Connect (specification, section 5; G-OIDC). The document is not
 * an operation: it requires neither a credential nor a scope.
 *
 * @returns Undefined for any other path.
 */
function discover({ contract, baseUrl, method, path }: OperationContext): Reply | undefined {
  const scheme = contract.securitySchemes.oidc;
  if (scheme?.type !== "openIdConnect" || path !== scheme.openIdConnectUrl) return undefined;
  if (method !== "GET") return methodNotAllowed(["GET"]);
  const lookup = contract.operations.find(({ id }) => id === "oauth2:authorize");
  const body = {
    issuer: baseUrl,
    ...(lookup && { authorization_endpoint: baseUrl + lookup.path }),
    scopes_supported: contract.scopes,
    response_types_supported: ["code"],
  };
  return { status: 200, body };
}

/** The methods whose requests have a body (RFC 9110, section 9.3; RFC 5789). */
const HAS_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/**
 * Reads the body of a request as text, unless it is too large or its length must be known in advance. From a
 * socket, the body of a request without a valid token is not read: its response does not depend on it.
 */
function readRequestText(
  context: RequestContext,
  assumptions: Assumptions,
): undefined | Reply | Promise<Reply | undefined> {
  const { method, request } = context;
  if (method === "GET" || method === "HEAD") return undefined;
  if (assumptions.bodyWithoutLength === "reject" && request.hasLength === false && HAS_BODY.has(method)) {
    return LENGTH_REQUIRED;
  }
  if (request.body === null) return undefined;
  const { maxBodyBytes } = assumptions;
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) return tooManyBytes(maxBodyBytes);
  const isUnneeded = request.hasLength !== undefined && (identify(context) || !context.credential);
  return isUnneeded ? undefined : readBytes(context, maxBodyBytes);
}

/** The response to a request without `Content-Length` (RFC 9110, section 15.5.12; G-LENGTH). */
const LENGTH_REQUIRED: Reply = {
  status: 411,
  body: { error: "LengthRequired", detail: "Send the Content-Length header." },
};

async function readBytes(context: RequestContext, maxBodyBytes: number): Promise<Reply | undefined> {
  context.isWaiting = true;
  const bytes = await context.request.arrayBuffer();
  context.isWaiting = false;
  if (bytes.byteLength > maxBodyBytes) return tooManyBytes(maxBodyBytes);
  try {
    context.text = strictDecoder.decode(bytes);
  } catch {
    context.text = lenientDecoder.decode(bytes);
    context.isGarbled = true;
  }
  return undefined;
}

function tooManyBytes(maxBodyBytes: number): Reply {
  return tooLarge(`The body is larger than ${maxBodyBytes} bytes.`);
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true });
const lenientDecoder = new TextDecoder();

/**
 * Parses and checks a JSON body if the operation has one, and responds with one 422 that lists every problem: first those
 * with the contract (`validation/schema-problems.ts`), then the operation's `validate`.
 */
function readBody(context: OperationContext): Reply | undefined {
  const { assumptions, route, text, isGarbled = false, request } = context;
  const { body: schema } = route;
  if (!schema) return undefined;
  const parsed = parseBody({ text, isGarbled, contentType: request.headers.get("content-type") }, assumptions);
  if ("tooLarge" in parsed) return tooLarge(parsed.tooLarge);
  if ("problem" in parsed) return invalid([parsed.problem]);
  const sent = parsed.value;
  const handler = handlers.get(route.operation.id);
  context.bodyMemory = parsed.bytes;
  if (assumptions.nullFields === "accept") schema.dropNulls(sent);
  if (isObject(sent)) handler?.normalize?.(sent as Record<string, unknown>, assumptions);
  const problems = new ProblemList(assumptions.maxProblems);
  context.body = schema.parse(sent, problems);
  const fitsContract = problems.isEmpty;
  handler?.validate?.(sent, context, problems);
  if (fitsContract && assumptions.unknownFields === "reject") addExtraProblems(sent, context.body, problems);
  if (!problems.isEmpty) return invalid(problems.list());
  context.ignored ??= new Set();
  addIgnored(sent, context.body, "body", context.ignored);
  return undefined;
}
