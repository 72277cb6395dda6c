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
import type { CallResponse } from "./call.ts";

import { isFromSignal } from "./deadline.ts";
import type { OnMismatch } from "./options.ts";
import { fits, parseJson, type Reading } from "./read-body.ts";
import type { Settings } from "./read-options.ts";
import { redact, redactJson, sanitizeError } from "./redact.ts";
import type { PreparedRequest } from "./request.ts";
import { readRetryAfter } from "./retry.ts";

/** What an answer is judged by. */
export interface ResponseContext {
  readonly settings: Settings;
  readonly request: PreparedRequest;
  readonly response: Response;
  /** Reads the body; it fails as the attempt does, when the connection is lost or the time is over. */
  readonly text: () => Promise<string>;
  /** Kept out of every error. */
  readonly token: string;
}

/** Turns a response into an answer, or fails with the error that it means. */
export async function parseResponse(about: ResponseContext): Promise<CallResponse<unknown>> {
  const { response, settings, request } = about;
  const version = response.headers.get("service-version") ?? undefined;
  if (version !== settings.version && (response.ok || version !== undefined)) reportVersion(about, version);
  if (!response.ok) throw await failure(about, version);
  const reading = request.read(await about.text(), response);
  if (reading.mismatches !== undefined) reportMismatch(about, reading);
  return { data: reading.value, response, version };
}

/** A failure that names no version is left to its status: a proxy's 502 or the 404 of an unsupported version has none. */
function reportVersion(
  { settings, request: { operation }, response, token }: ResponseContext,
  version: string | undefined,
): void {
  const expected = settings.version;
  const received = version === undefined ? undefined : redact(version, token);
  const under = received === undefined ? "without a Service-Version" : `under version ${received}`;
  const message = `${operation}: asked for version ${expected}, answered (${response.status}) ${under}`;
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
  const places = listFirst(mismatches, ({ path, message }) => `${path || "body"}: ${message}`, total);
  const message = `${operation}: the answer (${status}) does not fit version ${settings.version}: ${places}`;
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
  const body = schema !== undefined && fits(schema, rawBody) ? rawBody : undefined;
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const facts = {
    operation: request.operation,
    status,
    rawBody,
    response,
    version: version && redact(version, token),
    requestId: requestId && redact(requestId, token),
    cause,
    detail: redirect(response, token),
  };
  if (status !== 429) return new ApiError({ ...facts, body });
  return new RateLimitError({ ...facts, status, body: undefined, retryAfter: readRetryAfter(response.headers) });
}

/** The status alone says what became of the call, so a body that is lost on the way does not change the error. */
async function failureBody({ text, token }: ResponseContext): Promise<{ rawBody: unknown; cause?: unknown }> {
  try {
    return { rawBody: redactJson(parseJson(await text()).value, token) };
  } catch (cause) {
    if (isFromSignal(cause) || isResponseTooLargeError(cause)) throw cause;
    return { rawBody: undefined, cause };
  }
}

function redirect({ status, headers, type }: Response, token: string): string | undefined {
  if (type !== "opaqueredirect" && (status < 300 || status > 399)) return undefined;
  const target = headers.get("location")?.split(/[?#]/, 1)[0];
  return `is a redirect${target === undefined ? "" : ` to ${redact(target, token)}`}, and none is followed`;
}
