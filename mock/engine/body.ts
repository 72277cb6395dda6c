import { errorResponse, invalid, tooLarge } from "../http/error-response.ts";
import type { Reply } from "../http/reply.ts";
import { handlerOf } from "../operations/index.ts";
import type { OperationContext, RequestContext } from "../operations/request-context.ts";
import { isObject } from "../options/shape.ts";
import { addExtraProblems, addIgnored, addProtoProblems } from "../validation/field-walk.ts";
import { parseBody } from "../validation/parse-body.ts";
import { ProblemList } from "../validation/problems.ts";
import { identify } from "./credentials.ts";
import type { PipelinePolicy } from "./pipeline-policy.ts";

/** The methods whose requests have a body (RFC 9110, section 9.3; RFC 5789). */
const HAS_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/**
 * Reads the body of a request as text, unless it is too large or its length must be known in advance. From a
 * socket, the body of a request without a valid token is not read: its response does not depend on it.
 */
export function readRequestText(
  context: RequestContext,
  policy: PipelinePolicy,
): undefined | Reply | Promise<Reply | undefined> {
  const { method, request } = context;
  if (method === "GET" || method === "HEAD") return undefined;
  if (policy.bodyWithoutLength === "reject" && request.hasLength === false && HAS_BODY.has(method)) {
    return lengthRequired();
  }
  if (request.body === null) return undefined;
  const { maxBodyBytes } = policy;
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) return tooManyBytes(context, maxBodyBytes);
  const isUnneeded = request.hasLength !== undefined && (identify(context) || !context.credential);
  return isUnneeded ? undefined : readBytes(context, maxBodyBytes);
}

/** Returns a 411 for a request without `Content-Length` (RFC 9110, section 15.5.12; G-LENGTH). */
function lengthRequired(): Reply {
  return errorResponse(411, { error: "LengthRequired", detail: "Send the Content-Length header." });
}

async function readBytes(context: RequestContext, maxBodyBytes: number): Promise<Reply | undefined> {
  context.reading = true;
  const bytes = await context.request.arrayBuffer();
  context.reading = false;
  if (bytes.byteLength > maxBodyBytes) return tooManyBytes(context, maxBodyBytes);
  decodeInto(context, bytes);
  return undefined;
}

function tooManyBytes({ policy }: RequestContext, maxBodyBytes: number): Reply {
  return tooLarge(`The body is larger than ${maxBodyBytes} bytes.`, policy);
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true });
const lenientDecoder = new TextDecoder();

function decodeInto(context: RequestContext, bytes: ArrayBuffer | Uint8Array): void {
  try {
    context.text = strictDecoder.decode(bytes);
  } catch {
    context.text = lenientDecoder.decode(bytes);
    context.isGarbled = true;
  }
}

/**
 * Parses and checks a JSON body if the operation has one, and responds with one 422 that lists every problem: first those
 * with the contract (`validation/schema-problems.ts`), then those of the operation's `validate`.
 */
export function readBody(context: OperationContext): Reply | undefined {
  const { policy, route, text, isGarbled = false, request } = context;
  const { body: check } = route;
  if (!check) return undefined;
  const parsed = parseBody({ text, isGarbled, contentType: request.headers.get("content-type") }, policy);
  if ("tooLarge" in parsed) return tooLarge(parsed.tooLarge, policy);
  if ("problem" in parsed) return invalid([parsed.problem], policy);
  const sent = parsed.value;
  const handler = handlerOf(route.operation.id);
  context.bodyBytes = parsed.bytes;
  check.normalize(sent, policy);
  if (isObject(sent)) handler?.normalize?.(sent as Record<string, unknown>, policy);
  const problems = new ProblemList(policy.maxProblems);
  context.body = check.check(sent, problems);
  const fitsContract = problems.isEmpty;
  handler?.validate?.(sent, context, problems);
  addProtoProblems(sent, text as string, policy, problems);
  if (fitsContract) addExtraProblems(sent, context.body, policy, problems);
  if (!problems.isEmpty) return invalid(problems.list(), policy);
  context.ignored ??= new Set();
  addIgnored(sent, context.body, "body", context.ignored);
  return undefined;
}
