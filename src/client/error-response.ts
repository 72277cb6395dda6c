import { ApiError, isBillingError, RateLimitError, type VersionMismatchError } from "../errors/index.ts";
import type { FetchedResponse } from "./options.ts";
import { redact, redactJson } from "./redact.ts";
import { checkVersion, describePage, matches, parseJson, readText } from "./response.ts";
import { readRetryAfter } from "./retry.ts";
import type { CallContext } from "./settings.ts";

/** The maximum size of the body of an error, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** What is known of the body of an error: its value, or why it could not be read. */
interface ErrorBody {
  readonly value?: unknown;
  readonly isJson?: boolean;
  readonly cause?: unknown;
}

type StatusError = ApiError | VersionMismatchError;

/** Reads the body of a response with an error status, and returns the error. A lost body does not change it. */
export async function readError(
  context: CallContext,
  response: Response,
  readable: FetchedResponse,
): Promise<StatusError> {
  return apiErrorOf(context, response, await readErrorBody(context, readable));
}

async function readErrorBody(context: CallContext, readable: FetchedResponse): Promise<ErrorBody> {
  try {
    const text = await readText(context, readable, Math.min(MAX_BYTES, context.call.maxResponseBytes));
    const { value, mismatches } = parseJson(text);
    return { value: redactBody(value, text, context.tokens), isJson: mismatches === undefined };
  } catch (cause) {
    if (!isBillingError(cause)) throw cause; // The caller's signal.
    return { cause };
  }
}

/** Redacts a body. One whose text contains no secret and no escape is left alone. */
function redactBody(value: unknown, text: string, tokens: readonly string[]): unknown {
  return text.includes("\\") || redact(text, tokens) !== text ? redactJson(value, tokens) : value;
}

/** Returns the error for a response with an error status. */
export function apiErrorOf(
  context: CallContext,
  response: Response,
  { value: rawBody, isJson = rawBody !== undefined, cause }: ErrorBody,
): StatusError {
  const { request, tokens } = context;
  const { operation } = request;
  const { status, headers } = response;
  const header = headers.get("service-version") || undefined;
  // A 404 may name Current, because the service does not support the requested version (section 9.3; G-404-VER).
  const mismatch = status === 404 ? undefined : checkVersion(context, header, status, rawBody);
  if (mismatch) return mismatch;
  const version = header && redact(header, tokens);
  const fromService = version !== undefined || isJson;
  const page =
    fromService || !rawBody ? undefined : `not from the service: ${describePage(context, headers, String(rawBody))}`;
  const note = (status === 404 ? causeOfNotFound(context, version) : undefined) ?? page;
  const facts = {
    operation,
    status,
    rawBody,
    response,
    version,
    fromService,
    cause,
    detail: redirect(response, tokens),
    note,
  };
  if (status === 429)
    return new RateLimitError({ ...facts, status, body: undefined, retryAfter: readRetryAfter(headers) });
  const schema = fromService ? request.failures[status] : undefined;
  return new ApiError({ ...facts, body: schema && matches(schema, rawBody) ? rawBody : undefined });
}

/** Explains a 404 of another version than the client's, or of a path that begins with /v1/v1. */
function causeOfNotFound({ settings }: CallContext, version: string | undefined): string | undefined {
  if (settings.baseUrl.endsWith("/v1")) return "baseUrl ends with /v1, which the client adds";
  if (version === undefined || version === settings.version) return undefined;
  return `answered by ${version}: the service may not support version ${settings.version}`;
}

function redirect({ type, status, headers }: Response, tokens: readonly string[]): string | undefined {
  if (type !== "opaqueredirect" && (status < 300 || status > 399)) return undefined;
  const location = headers.get("location") ?? "";
  // A redacted secret may contain what ends the path.
  return `redirect${location === "" ? "" : ` to ${redact(location, tokens).split(/[?#]/, 1)[0]}`} not followed`;
}
