import type { Operation } from "../../src/contract/index.ts";
import { errorResponse, invalid } from "../http/error-response.ts";
import type { Reply } from "../http/reply.ts";
import { handlerOf } from "../operations/index.ts";
import type { OperationContext, RequestContext, Route } from "../operations/request-context.ts";
import { addIgnored } from "../validation/field-walk.ts";
import { problemsOf } from "../validation/schema-problems.ts";
import { type Validated, validate } from "../validation/validate.ts";
import { readBody, readRequestText } from "./body.ts";
import { authenticate, identify, requireScope } from "./credentials.ts";
import { discover } from "./discovery.ts";
import type { PipelinePolicy } from "./pipeline-policy.ts";
import { type Match, routesOf } from "./routes.ts";

/** Checks a request: a reply ends the pipeline, undefined continues it. */
export type Check = (context: RequestContext, policy: PipelinePolicy) => Reply | undefined | Promise<Reply | undefined>;

/** The checks of a request, in order (G-ORDER): the first check that fails determines the response. */
export const checks: readonly Check[] = [
  requireVersion,
  readRequestText,
  countRequest,
  identify,
  findRoute,
  authenticate,
  requireScope,
  readParameters,
  (context) => readBody(context as OperationContext),
];

function requireVersion({ contract, policy }: RequestContext): Reply | undefined {
  return contract ? undefined : errorResponse(404, policy.unsupportedVersion.body);
}

/** Rejects a request over the rate limit with a 429, an empty body and `Retry-After` in seconds (G-RATE). */
function countRequest(
  { request, receivedAt, state }: RequestContext,
  { rateLimit }: PipelinePolicy,
): Reply | undefined {
  if (rateLimit === undefined) return undefined;
  const credential = request.headers.get("authorization") ?? "";
  const seconds = state.rates.count(credential, receivedAt, rateLimit);
  return seconds === undefined ? undefined : { status: 429, headers: { "Retry-After": String(seconds) } };
}

function findRoute(context: RequestContext, policy: PipelinePolicy): Reply | undefined {
  const routes = routesOf((context as OperationContext).contract);
  const match = routes.find(context.method, context.path);
  if (match && isServed(match.route, context)) {
    context.route = match.route;
    context.pathParameters = match.parameters;
    return undefined;
  }
  const { notFound, methodNotAllowed } = context.policy.unknownRoute;
  const others = routes.at(context.path).filter((route) => isServed(route, context));
  if (others.length === 0) return discover(context, policy) ?? errorResponse(404, notFound);
  return errorResponse(405, methodNotAllowed, { Allow: others.map(({ operation }) => operation.method).join(", ") });
}

function isServed({ operation }: Route, { policy }: RequestContext): boolean {
  return handlerOf(operation.id)?.isServed?.(policy) ?? true;
}

function readParameters(context: RequestContext): Reply | undefined {
  const { operation, readQuery } = context.route as Route;
  const { pathParameters, search, policy } = context;
  const issues = pathIssues(operation, pathParameters as Match["parameters"]);
  if (issues) return invalid(problemsOf(issues, pathParameters, ["path"]), policy);
  const fields = readQuery(search);
  const query = operation.request.query ? validate(operation.request.query, fields) : { value: {} };
  if (query.issues) {
    const sent = Object.fromEntries(new URLSearchParams(search));
    return invalid(problemsOf(query.issues, sent, ["query"]), policy);
  }
  context.query = query.value;
  if (search === "") return undefined;
  context.ignored = new Set();
  addIgnored(fields, query.value, "query", context.ignored);
  return undefined;
}

/** The parameters of paths that fit the contract. The routes return the same ones when a path is requested again. */
const valid = new WeakSet<Match["parameters"]>();

function pathIssues({ request }: Operation, parameters: Match["parameters"]): Validated["issues"] {
  if (!request.path || valid.has(parameters)) return undefined;
  const { issues } = validate(request.path, parameters);
  if (!issues) valid.add(parameters);
  return issues;
}
