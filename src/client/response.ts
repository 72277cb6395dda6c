import {
  ApiError,
  type ApiErrorName,
  type BillingError,
  isResponseTooLargeError,
  RateLimitError,
  ResponseMismatchError,
  VersionMismatchError,
} from "../errors/index.ts";
import { listFirst } from "../errors/list-first.ts";
import { asResponse, isSuccessful } from "./as-response.ts";
import type { Answer } from "./call.ts";
import { isFromSignal } from "./deadline.ts";
import type { OnMismatch } from "./options.ts";
import { matches, parseJson, type Reading } from "./read-body.ts";
import type { Settings } from "./read-options.ts";
import { redact, redactJson, sanitizeError } from "./redact.ts";
import type { PreparedRequest } from "./request.ts";
import { readRetryAfter } from "./retry.ts";
import type { TransportResponse } from "./transport.ts";

/** A response and the context in which it is parsed. */
export interface ResponseContext {
  readonly settings: Settings;
  readonly request: PreparedRequest;
  readonly response: TransportResponse;
  /** Reads the body. Rejects when the connection is lost or the timeout expires. */
  readonly text: () => Promise<string>;
  /** The access token, redacted in every error. */
  readonly token: string;
}

/**
 * Parses a response and checks it against the contract.
 *
 * @throws {@link ApiError} for an error status, {@link ResponseMismatchError} or {@link VersionMismatchError}.
 */
export async function parseResponse(about: ResponseContext): Promise<Answer<unknown>> {
  const { response, settings, request } = about;
  const version = response.headers.get("service-version") ?? undefined;
  const isOther = version !== settings.version;
  if (isOther && mustMatch(response, version)) reportVersion(about, version);
  if (!isSuccessful(response)) throw await failure(about, version);
  const reading = request.read(await about.text(), response);
  if (reading.mismatches !== undefined) reportMismatch(about, reading);
  return { data: reading.value, response, version };
}

/**
 * Whether a response must name the client's version. An error status may name none, such as a proxy's 502. A 404 may name
 * Current, because the service does not support the requested version (specification, section 9.3; G-404-VER).
 */
function mustMatch(response: TransportResponse, version: string | undefined): boolean {
  return isSuccessful(response) || (version !== undefined && response.status !== 404);
}

function reportVersion(
  { settings, request: { operation }, response, token }: ResponseContext,
  version: string | undefined,
): void {
  const expected = settings.version;
  const received = version === undefined ? undefined : redact(version, token);
  const actual = received ?? "no Service-Version header";
  const advice = "Check that baseUrl is the service and that no proxy changes the Service-Version header";
  const message = `${operation}: expected version ${expected}, received ${actual} (status ${response.status}). ${advice}`;
  report(
    settings,
    settings.onVersionMismatch,
    new VersionMismatchError(message, { operation, expected, received, cause: undefined }),
  );
}

function reportMismatch(
  { settings, request: { operation }, response: { status }, token }: ResponseContext,
  reading: Reading,
): void {
  const reaction = settings.onResponseMismatch;
  const mismatches = (reading.mismatches ?? []).map(({ path, message }) => {
    return { path: redact(path, token), message: redact(message, token) };
  });
  const { total = mismatches.length } = reading;
  const problems = listFirst(mismatches, ({ path, message }) => `${path || "body"}: ${message}`, total);
  const message = `${operation}: the response (${status}) does not match version ${settings.version}: ${problems}`;
  const cause = sanitizeError(reading.cause, token);
  const value = reaction === "throw" ? redactJson(reading.value, token) : undefined;
  report(settings, reaction, new ResponseMismatchError(message, { operation, mismatches, value, status, cause }));
}

function report(settings: Settings, reaction: OnMismatch, error: BillingError): void {
  if (reaction === "throw") throw error;
  if (reaction === "warn") settings.logger.warn?.(error.message, error.toJSON());
}

async function failure(
  about: ResponseContext,
  version: string | undefined,
): Promise<ApiError<number, unknown, ApiErrorName>> {
  const { request, response, token } = about;
  const { rawBody, cause } = await failureBody(about);
  const { status } = response;
  const schema = request.failures[status];
  const body = schema !== undefined && matches(schema, rawBody) ? rawBody : undefined;
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const facts = {
    operation: request.operation,
    status,
    rawBody,
    response: asResponse(response),
    version: version && redact(version, token),
    requestId: requestId && redact(requestId, token),
    cause,
    detail: redirect(response, token),
    note: status === 404 ? otherVersion(about, version) : undefined,
  };
  if (status !== 429) return new ApiError({ ...facts, body });
  return new RateLimitError({ ...facts, status, body: undefined, retryAfter: readRetryAfter(response.headers) });
}

/** Explains a 404 of another version than the client's. */
function otherVersion({ settings, token }: ResponseContext, version: string | undefined): string | undefined {
  if (version === undefined || version === settings.version) return undefined;
  const asked = settings.version;
  return `requested version ${asked}, answered by ${redact(version, token)}: the service may not support ${asked}`;
}

/** Reads the body of an error. A lost body does not change the error, since the status is known. */
async function failureBody({ text, token }: ResponseContext): Promise<{ rawBody: unknown; cause?: unknown }> {
  try {
    return { rawBody: redactJson(parseJson(await text()).value, token) };
  } catch (cause) {
    if (isFromSignal(cause) || isResponseTooLargeError(cause)) throw cause;
    return { rawBody: undefined, cause };
  }
}

function redirect(response: TransportResponse, token: string): string | undefined {
  const { status, headers } = response;
  const isHidden = "type" in response && response.type === "opaqueredirect";
  if (!isHidden && (status < 300 || status > 399)) return undefined;
  const target = headers.get("location")?.split(/[?#]/, 1)[0];
  return `redirect${target === undefined ? "" : ` to ${redact(target, token)}`} not followed`;
}
