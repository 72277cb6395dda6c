import { invalid } from "../http/error-response.ts";
import type { Reply } from "../http/reply.ts";
import { handlerOf } from "../operations/index.ts";
import type { OperationContext, Route } from "../operations/request-context.ts";
import { isObject } from "../options/shape.ts";
import type { BodyCheck } from "../validation/body-check.ts";
import { addExtraProblems, addProtoProblems } from "../validation/field-walk.ts";
import { applyLeniency } from "../validation/leniency.ts";
import { parseBody } from "../validation/parse-body.ts";
import { ProblemList } from "../validation/problem-list.ts";
import { identify } from "./credentials.ts";

/**
 * Parses and checks a JSON body, and responds with one 422 that lists every problem. A body with long lists is checked
 * in parts, with other requests in between; the checks that depend on the state run at the end, all at once.
 *
 * The problems come from the contract (`validation/schema-problems.ts`), then from the `validate` of the operation.
 */
export function readBody(context: OperationContext): Reply | undefined | Promise<Reply | undefined> {
  const { body, operation } = context.route;
  if (!body) return undefined;
  const { policy, text, isGarbled = false, request } = context;
  const parsed = parseBody({ text, isGarbled, contentType: request.headers.get("content-type") }, policy);
  if ("problem" in parsed) return invalid([parsed.problem], policy);
  const handler = handlerOf(operation.id);
  applyLeniency(parsed.value, body.schema, policy);
  if (isObject(parsed.value)) handler?.normalize?.(parsed.value as Record<string, unknown>, policy);
  return check(parsed.value, body, context);
}

function check(
  sent: unknown,
  body: BodyCheck,
  context: OperationContext,
): Reply | undefined | Promise<Reply | undefined> {
  const problems = new ProblemList(context.policy.maxProblems);
  const checked = body.check(sent, problems);
  if (!(checked instanceof Promise)) return finish(sent, checked, context, problems);
  // While a long list is checked in parts, the credential may be revoked or the mock reset.
  return checked.then((kept) => identify(context) ?? finish(sent, kept, context, problems));
}

function finish(sent: unknown, kept: unknown, context: OperationContext, problems: ProblemList): Reply | undefined {
  const { policy, route, text = "" } = context;
  const fitsContract = problems.isEmpty;
  handlerOf((route as Route).operation.id)?.validate?.(sent, context, problems);
  addProtoProblems(sent, text, policy, problems);
  if (fitsContract) addExtraProblems(sent, kept, policy, problems);
  if (!problems.isEmpty) return invalid(problems.list(), policy);
  context.body = kept;
  return undefined;
}
