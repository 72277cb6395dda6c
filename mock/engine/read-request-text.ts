import { errorResponse, tooLarge } from "../http/error-response.ts";
import type { Reply } from "../http/reply.ts";
import type { RequestContext } from "../operations/request-context.ts";
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
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) return tooLarge(maxBodyBytes, context.policy);
  const isUnneeded = request.hasLength !== undefined && (identify(context) || !context.credential);
  return isUnneeded ? undefined : readBytes(context, maxBodyBytes);
}

/** Returns a 411 for a request without `Content-Length` (RFC 9110, section 15.5.12; G-LENGTH). */
function lengthRequired(): Reply {
  return errorResponse(411, { error: "LengthRequired", detail: "Send the Content-Length header." });
}

async function readBytes(context: RequestContext, maxBodyBytes: number): Promise<Reply | undefined> {
  const { request, policy } = context;
  context.reading = true;
  const bytes = await request.arrayBuffer();
  context.reading = false;
  if (bytes.byteLength > maxBodyBytes) return tooLarge(maxBodyBytes, policy);
  decodeInto(context, bytes);
  return undefined;
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
