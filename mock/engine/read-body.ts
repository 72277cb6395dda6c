import { invalid } from "../http/error-response.ts";
import type { Reply } from "../http/reply.ts";
import { handlerOf } from "../operations/index.ts";
import type { OperationContext } from "../operations/request-context.ts";
import { isObject } from "../options/shape.ts";
import { atOnce, inSlices, type Work } from "../time/in-slices.ts";
import type { BodyCheck } from "../validation/body-check.ts";
import { addExtraProblems, addIgnored, addProtoProblems } from "../validation/field-walk.ts";
import { applyLeniency } from "../validation/leniency.ts";
import { parseBody } from "../validation/parse-body.ts";
import { ProblemList } from "../validation/problem-list.ts";
import { identify } from "./credentials.ts";

/** The number of times that a large body is read in slices before it is read without a break. */
const ATTEMPTS = 3;

/**
 * Parses and checks a JSON body if the operation has one, and responds with one 422 that lists every problem. A body with
 * long lists is read in slices, with other requests in between. If those change a record that the checks may depend on, it
 * is read again.
 *
 * The problems come from the contract (`validation/schema-problems.ts`), then from the `validate` of the operation.
 */
export function readBody(context: OperationContext, attempt = 1): Reply | undefined | Promise<Reply | undefined> {
  const { state, route } = context;
  const { body } = route;
  if (!body) return undefined;
  const { ownersRevision } = state;
  const outcome = inSlices(read(context, body));
  if (!(outcome instanceof Promise)) return outcome;
  return outcome.then((reply) => {
    const rejected = identify(context);
    if (rejected || ownersRevision === state.ownersRevision) return rejected ?? reply;
    return attempt < ATTEMPTS ? readBody(context, attempt + 1) : atOnce(read(context, body));
  });
}

function* read(context: OperationContext, body: BodyCheck): Work<Reply | undefined> {
  const reply = yield* check(context, body);
  const { prepare } = handlerOf(context.route.operation.id) ?? {};
  if (!reply && prepare) context.prepared = yield* prepare(context);
  return reply;
}

function* check(context: OperationContext, body: BodyCheck): Work<Reply | undefined> {
  const { policy, route, text, isGarbled = false, request } = context;
  const parsed = yield* parseBody({ text, isGarbled, contentType: request.headers.get("content-type") }, policy);
  if ("problem" in parsed) return invalid([parsed.problem], policy);
  const sent = parsed.value;
  context.bodyBytes = parsed.bytes;
  applyLeniency(sent, body.schema, policy);
  if (isObject(sent)) handlerOf(route.operation.id)?.normalize?.(sent as Record<string, unknown>, policy);
  const problems = new ProblemList(policy.maxProblems);
  context.body = yield* body.check(sent, problems);
  yield* addProblems(sent, context, problems);
  if (!problems.isEmpty) return invalid(problems.list(), policy);
  context.ignored ??= new Set();
  addIgnored(sent, context.body, "body", context.ignored);
  return undefined;
}

/** Adds the problems beyond the contract. */
function* addProblems(sent: unknown, context: OperationContext, problems: ProblemList): Work<void> {
  const { policy, route, text = "", body: kept } = context;
  const fitsContract = problems.isEmpty;
  yield* handlerOf(route.operation.id)?.validate?.(sent, context, problems) ?? [];
  addProtoProblems(sent, text, policy, problems);
  if (fitsContract) addExtraProblems(sent, kept, policy, problems);
}
