import { gunzip } from "../../src/values/bytes.ts";
import {
  insufficientScope,
  invalid,
  invalidToken,
  methodNotAllowed,
  notFound,
  tooLarge,
  tooManyRequests,
  unauthorized,
} from "../http/error-replies.ts";
import type { Reply } from "../http/messages.ts";
import { handlers } from "../operations/index.ts";
import type { Identity, Input, OperationContext, RequestContext } from "../operations/operation.ts";
import type { Credential } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { validate } from "../validation/body-schema.ts";
import { parseBody } from "../validation/parse-body.ts";
import { addExtraProblems, addIgnored, ProblemList, problemsOf } from "../validation/problems.ts";
import { routesOf } from "./routes.ts";

/** A check of a request: a reply ends the pipeline, undefined continues it. */
type RequestCheck = (context: RequestContext) => Reply | undefined | Promise<Reply | undefined>;

/** A check of a request to an operation. It may also read a part of the input. */
type OperationCheck = (context: OperationContext, input: Input) => Reply | undefined;

/** The first checks of a request, in order (G-ORDER): the first check that fails determines the response. */
export const requestChecks: readonly RequestCheck[] = [requireVersion, readText, countRequest, requireKnownToken];

/** The checks that follow `admit`, in order. */
export const operationChecks: readonly OperationCheck[] = [requireScheme, requireScope, readParameters, readBody];

function requireVersion({ contract }: RequestContext): Reply | undefined {
  return contract ? undefined : notFound();
}

/** Counts a request (G-RATE). Those without a valid credential are counted together, so that unknown tokens take no memory. */
function countRequest({ assumptions: { rateLimit }, state, identity }: RequestContext): Reply | undefined {
  if (rateLimit === null) return undefined;
  // By the current time: this request may have waited for its body while later ones were counted.
  const seconds = state.rates.count(identity().credential?.token ?? "", state.clock.now(), rateLimit);
  return seconds === undefined ? undefined : tooManyRequests(seconds);
}

function requireKnownToken({ identity }: RequestContext): Reply | undefined {
  return identity().rejection;
}

/** Finds the operation and the credential of a request, or the response to one that lacks them. */
export function admit(context: RequestContext): OperationContext | Reply {
  const { contract, match } = context;
  if (!contract || !match) return withoutRoute(context);
  const { credential } = context.identity();
  return credential ? Object.assign(context, { contract, match, credential }) : unauthorized();
}

function withoutRoute(context: RequestContext): Reply {
  const { contract, address } = context;
  const others = contract ? routesOf(contract).at(address.path) : [];
  if (others.length === 0) return discover(context) ?? notFound();
  return methodNotAllowed(others.map(({ operation }) => operation.method));
}

/**
 * Answers a request for the discovery document of OpenID Connect (specification, section 5; G-OIDC). The document is not
 * an operation: it requires neither a credential nor a scope.
 *
 * @returns Undefined for any other path.
 */
function discover({ contract, address: { baseUrl, path }, request }: RequestContext): Reply | undefined {
  if (!contract || path !== "/.well-known/openid-configuration") return undefined;
  if (request.method !== "GET") return methodNotAllowed(["GET"]);
  const lookup = contract.operations.find(({ id }) => id === "oauth2:authorize");
  const body = {
    issuer: baseUrl,
    ...(lookup && { authorization_endpoint: baseUrl + lookup.path }),
    scopes_supported: contract.scopes,
    response_types_supported: ["code"],
  };
  return { status: 200, body };
}

/** Looks up the token of a request. */
export function identify({ request, receivedAt, state }: RequestContext): Identity {
  const token = /^bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined) return {};
  const credential = state.tables.credentials.get(token);
  if (!credential) return { rejection: invalidToken("The access token is unknown.") };
  const problem = problemOf(credential, receivedAt, state);
  return problem === undefined ? { credential } : { rejection: invalidToken(problem) };
}

function problemOf(credential: Credential, now: number, { tables }: State): string | undefined {
  if (credential.revoked) return "The access token was revoked.";
  if (credential.expires_at !== null && credential.expires_at <= now) return "The access token has expired.";
  const { user_id, organization_id } = credential;
  const owned = organization_id === null ? tables.users.has(user_id ?? "") : tables.organizations.has(organization_id);
  return owned ? undefined : "The owner of the access token does not exist.";
}

/** Rejects a type of credential that the operation does not accept. */
function requireScheme({ credential: { type }, match, assumptions }: OperationContext): Reply | undefined {
  const { schemes } = match.route.operation.security;
  if (schemes.includes(type) || assumptions.otherSchemes === "accept") return undefined;
  return invalidToken(`The operation accepts ${schemes.join(" and ")} credentials, not ${type}.`);
}

/** Rejects a credential without any of the scopes of which the operation requires one. */
function requireScope({ credential, match }: OperationContext): Reply | undefined {
  const { scopes } = match.route.operation.security;
  if (scopes.length === 0 || scopes.some((scope) => credential.scopes.includes(scope))) return undefined;
  return insufficientScope(scopes);
}

function readParameters({ match, address: { search }, ignored }: OperationContext, input: Input): Reply | undefined {
  const { operation, readQuery } = match.route;
  const { path, query } = operation.request;
  const { issues } = path ? validate(path, match.parameters) : {};
  if (issues) return invalid(problemsOf(issues, match.parameters, ["path"]));
  const fields = readQuery(search);
  const checked = query ? validate(query, fields) : { value: {} };
  if (checked.issues) {
    const sent = Object.fromEntries(new URLSearchParams(search));
    return invalid(problemsOf(checked.issues, sent, ["query"]));
  }
  input.query = checked.value;
  addIgnored(fields, checked.value, "query", ignored);
  return undefined;
}

/**
 * Reads the body of a request as text, unless it is too large. From a socket,
 * the body of a request without a valid token is not read: its response does not depend on it.
 */
function readText(context: RequestContext): undefined | Reply | Promise<Reply | undefined> {
  const { request, assumptions, identity } = context;
  const { method, hasLength, body, headers } = request;
  if (method === "GET" || method === "HEAD" || body === null) return undefined;
  const { maxBodyBytes } = assumptions;
  if (Number(headers.get("content-length") ?? 0) > maxBodyBytes) return tooManyBytes(maxBodyBytes);
  return hasLength !== undefined && !identity().credential ? undefined : readBytes(context, maxBodyBytes);
}

/** Reads the body of a request as text, unless it is too large. */
export async function readBytes(context: RequestContext, maxBytes: number): Promise<Reply | undefined> {
  const { request } = context;
  const sent = await request.arrayBuffer().catch((cause: unknown) => {
    throw new UnreadableBody(undefined, { cause });
  });
  const isGzip = request.headers.get("content-encoding") === "gzip" && sent.byteLength <= maxBytes;
  const bytes = isGzip ? await gunzip(sent, maxBytes).catch(() => sent) : sent;
  if (bytes === undefined || bytes.byteLength > maxBytes) return tooManyBytes(maxBytes);
  try {
    context.text = strictDecoder.decode(bytes);
  } catch {
    context.text = lenientDecoder.decode(bytes);
    context.isGarbled = true;
  }
  return undefined;
}

/** The body of a request cannot be read, because of the connection and not of the mock. */
export class UnreadableBody extends Error {}

function tooManyBytes(maxBodyBytes: number): Reply {
  return tooLarge(`The body is larger than ${maxBodyBytes} bytes.`);
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true });
const lenientDecoder = new TextDecoder();

/** The maximum length of a list in a body, unless the operation has another (G-EVT-MAX). */
const MAX_ITEMS = 10_000;

/**
 * Parses and checks a JSON body if the operation has one, and responds with one 422 that lists every problem: first those
 * with the contract (`validation/problems.ts`), then the operation's `validate`.
 */
function readBody(context: OperationContext, input: Input): Reply | undefined {
  const { assumptions, match, text, isGarbled = false, request } = context;
  const { body: schema, operation } = match.route;
  if (!schema) return undefined;
  const parsed = parseBody({ text, isGarbled, contentType: request.headers.get("content-type") }, assumptions);
  if ("problem" in parsed) return invalid([parsed.problem]);
  const sent = parsed.value;
  const handler = handlers.get(operation.id);
  if (assumptions.nullFields !== "reject") schema.dropNulls(sent, assumptions.nullFields);
  const problems = new ProblemList();
  input.body = schema.parse(sent, problems, handler?.maxItems?.(assumptions) ?? MAX_ITEMS);
  const fitsContract = problems.isEmpty;
  handler?.validate?.(sent, context, problems);
  if (fitsContract && assumptions.unknownFields === "reject") addExtraProblems(sent, input.body, problems);
  if (!problems.isEmpty) return invalid(problems.list());
  addIgnored(sent, input.body, "body", context.ignored);
  return undefined;
}
