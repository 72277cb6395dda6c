import { describeIssue, flattenIssues } from "../contract/flatten-issues.ts";
import type { Schema, ZodSchema } from "../contract/index.ts";
import {
  ApiError,
  type BillingError,
  isResponseTooLargeError,
  type Mismatch,
  NetworkError,
  RateLimitError,
  ResponseMismatchError,
  ResponseTooLargeError,
  VersionMismatchError,
} from "../errors/index.ts";
import { readBytes } from "../values/bytes.ts";
import { listFirst } from "../values/describe.ts";
import { isFromSignal } from "./deadline.ts";
import type { OnMismatch, TransportResponse } from "./options.ts";
import { redact, redactJson, sanitizeError } from "./redact.ts";
import type { Attempt } from "./request.ts";
import { readRetryAfter } from "./retry.ts";
import type { Settings } from "./settings.ts";

/** A successful response whose `Response` is created only if it is requested. */
export interface Answer<Data> {
  readonly data: Data;
  readonly version: string | undefined;
  readonly response: TransportResponse;
}

/** Reads the body of a response. Rejects when the connection is lost, the timeout expires or the body is too long. */
type ReadText = () => Promise<string>;

/**
 * Parses a response and checks it against the contract.
 *
 * @throws {@link ApiError} for an error status, {@link ResponseMismatchError} or {@link VersionMismatchError}.
 */
export async function parseResponse(
  attempt: Attempt,
  response: TransportResponse,
  readText: ReadText,
): Promise<Answer<unknown>> {
  const version = response.headers.get("service-version") || undefined;
  if (version !== undefined) checkVersion(attempt, response, version);
  if (!isSuccessful(response)) throw await failure(attempt, response, version, readText);
  const text = await readText();
  const reading = read(text, attempt.request.data, response);
  if (version === undefined) {
    const isEmpty = text === "" && attempt.request.data === undefined;
    if (!isEmpty && parseJson(text).mismatches) throw pageError(attempt, response, text);
    warnUnknownVersion(attempt);
  }
  if (reading.mismatches) reportMismatch(attempt, response, reading);
  return { data: reading.value, response, version };
}

/**
 * Checks the version that a response names. A 404 may name Current, because the service does not support the requested version
 * (specification, section 9.3; G-404-VER).
 */
function checkVersion(
  { settings, request: { operation }, tokens }: Attempt,
  { status }: TransportResponse,
  version: string,
): void {
  const expected = settings.version;
  if (version === expected || status === 404) return;
  const received = redact(version, tokens);
  const advice = "Check baseUrl, and that no proxy changes the header";
  const message = `${operation}: expected version ${expected}, received ${received} (status ${status}). ${advice}`;
  report(
    settings,
    settings.onVersionMismatch,
    new VersionMismatchError(message, { operation, expected, received, status }),
  );
}

/** The clients that have been told that a response names no version. */
const told = new WeakSet<Settings>();

/** Warns once per client that a response does not name its version: a browser may hide the header, a proxy may drop it. */
function warnUnknownVersion({ settings, request: { operation } }: Attempt): void {
  if (settings.onVersionMismatch === "ignore" || told.has(settings)) return;
  told.add(settings);
  const advice = "A browser hides the header unless Access-Control-Expose-Headers names it; a proxy may remove it";
  const message = `${operation}: the response has no Service-Version header, so its version is unknown. ${advice}`;
  settings.logger.warn?.(message, { operation, expected: settings.version });
}

/** The number of characters of a page that a message quotes. */
const QUOTED = 100;

/** Creates the error for a page with a status of success, for example of a login or a captive portal. */
function pageError(attempt: Attempt, response: TransportResponse, page: string): NetworkError {
  const { operation } = attempt.request;
  const message = `${operation}: the response (${response.status}) is not from the service: ${describePage(attempt, response, page)}`;
  return new NetworkError(message, { operation });
}

/** Describes a response without `Service-Version` that is not JSON by its content type and its beginning. */
function describePage({ tokens }: Attempt, { headers }: TransportResponse, page: string): string {
  const type = redact(headers.get("content-type") ?? "no content type", tokens);
  const start = redact(page, tokens).trim().replace(/\s+/g, " ");
  return `${type}, ${start === "" ? "no content" : JSON.stringify(start.slice(0, QUOTED))}`;
}

function reportMismatch(
  { settings, request: { operation }, tokens }: Attempt,
  { status, headers }: TransportResponse,
  reading: Reading,
): void {
  const reaction = settings.onResponseMismatch;
  const mismatches = (reading.mismatches ?? []).map(({ path, message }) => {
    return { path: redact(path, tokens), message: redact(message, tokens) };
  });
  const problems = listFirst(mismatches, ({ path, message }) => `${path || "body"}: ${message}`, reading.total);
  const message = `${operation}: the response (${status}) does not match version ${settings.version}: ${problems}`;
  const cause = reading.cause && sanitizeError(reading.cause, tokens);
  const value = reaction === "throw" ? redactJson(reading.value, tokens) : undefined;
  const version = headers.get("service-version") || undefined;
  const facts = { operation, mismatches, value, status, version: version && redact(version, tokens), cause };
  report(settings, reaction, new ResponseMismatchError(message, facts));
}

function report(settings: Settings, reaction: OnMismatch, error: BillingError): void {
  if (reaction === "throw") throw error;
  if (reaction === "warn") settings.logger.warn?.(error.message, error.toJSON());
}

async function failure(
  attempt: Attempt,
  response: TransportResponse,
  version: string | undefined,
  readText: ReadText,
): Promise<ApiError> {
  const { request, tokens } = attempt;
  const { rawBody, isJson, cause } = await failureBody(readText, tokens);
  const { status } = response;
  const fromService = version !== undefined || isJson;
  const schema = fromService ? request.failures[status] : undefined;
  const facts = {
    operation: request.operation,
    status,
    rawBody,
    response: asResponse(response),
    version: version && redact(version, tokens),
    fromService,
    cause,
    detail: redirect(response, tokens),
    note:
      (status === 404 ? causeOfNotFound(attempt, version) : undefined) ??
      (fromService || !rawBody
        ? undefined
        : `not from the service: ${describePage(attempt, response, String(rawBody))}`),
  };
  if (status !== 429) {
    return new ApiError({
      ...facts,
      body: schema && check(schema, rawBody).mismatches === undefined ? rawBody : undefined,
    });
  }
  return new RateLimitError({ ...facts, status, body: undefined, retryAfter: readRetryAfter(response.headers) });
}

/** Explains a 404 of another version than the client's, or of a path that begins with /v1/v1. */
function causeOfNotFound({ settings, tokens }: Attempt, version: string | undefined): string | undefined {
  if (settings.baseUrl.endsWith("/v1")) return "baseUrl ends with /v1, which the client adds";
  if (version === undefined || version === settings.version) return undefined;
  return `answered by ${redact(version, tokens)}: the service may not support version ${settings.version}`;
}

/** Reads the body of an error. A lost body does not change the error, since the status is known. */
async function failureBody(
  readText: ReadText,
  tokens: readonly string[],
): Promise<{ rawBody: unknown; isJson: boolean; cause?: unknown }> {
  try {
    const { value, mismatches } = parseJson(await readText());
    return { rawBody: redactJson(value, tokens), isJson: mismatches === undefined };
  } catch (cause) {
    if (isFromSignal(cause) || isResponseTooLargeError(cause)) throw cause;
    return { rawBody: undefined, isJson: false, cause };
  }
}

function redirect(response: TransportResponse, tokens: readonly string[]): string | undefined {
  const { status, headers } = response;
  const isHidden = "type" in response && response.type === "opaqueredirect";
  if (!isHidden && (status < 300 || status > 399)) return undefined;
  const location = headers.get("location") ?? "";
  // A redacted secret may contain what ends the path.
  return `redirect${location === "" ? "" : ` to ${redact(location, tokens).split(/[?#]/, 1)[0]}`} not followed`;
}

/** The maximum number of listed mismatches. */
const MAX_LISTED = 100;

/** The result of reading the body of a response. */
interface Reading {
  /** The body: parsed JSON, otherwise text. */
  readonly value: unknown;
  /** The mismatches with the contract, at most 100; undefined if there are none. */
  readonly mismatches: readonly Mismatch[] | undefined;
  /** The number of mismatches, as far as counted. */
  readonly total?: number;
  /** The error behind a mismatch. */
  readonly cause?: unknown;
}

/**
 * Reads a body: JSON that must match the schema. Without a schema, an empty body is undefined, and one without the content
 * type of JSON is text.
 */
function read(text: string, schema: Schema | undefined, response: TransportResponse): Reading {
  if (schema === undefined && text === "") return { value: undefined, mismatches: undefined };
  if (schema === undefined && !isJson(response)) return { value: text, mismatches: undefined };
  const reading = parseJson(text);
  return schema === undefined || reading.mismatches ? reading : check(schema, reading.value);
}

/**
 * Checks a value with a schema, and keeps fields that the schema does not know. One with more than about 100,000 problems
 * overflows zod's stack.
 */
function check(schema: Schema, value: unknown): Reading {
  try {
    const { success, error } = (schema as ZodSchema).safeParse(value);
    if (success) return { value, mismatches: undefined };
    const mismatches = flattenIssues(error.issues.slice(0, MAX_LISTED), value).slice(0, MAX_LISTED).map(describeIssue);
    return { value, mismatches, total: Math.max(error.issues.length, mismatches.length) };
  } catch (cause) {
    return { value, mismatches: [{ path: "", message: `the schema failed: ${cause}` }], cause };
  }
}

/** Parses JSON. Returns the text and a mismatch if it is invalid. */
function parseJson(text: string): Reading {
  try {
    return { value: JSON.parse(text), mismatches: undefined };
  } catch {
    // Without the error of the engine, which quotes the text: it may contain a secret.
    return { value: text, mismatches: [{ path: "", message: `expected JSON, received ${describeText(text)}` }] };
  }
}

function describeText(text: string): string {
  if (text.trim() === "") return "nothing";
  return /^\s*</.test(text) ? "HTML or XML" : "invalid JSON";
}

function isJson(response: TransportResponse): boolean {
  return /[/+]json\b/i.test(response.headers.get("content-type") ?? "");
}

const utf8 = new TextDecoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the body of a response as text, up to a limit. The `Content-Length` cannot tell: a decompressed body can be a
 * thousand times as long.
 *
 * @throws {@link ResponseTooLargeError} when the body is too long. The rest of it is not read.
 */
export async function readResponseText(response: TransportResponse, attempt: Attempt): Promise<string> {
  const { request, call } = attempt;
  const { status, body } = response;
  const { maxResponseBytes } = call;
  if (body) {
    // Iterating over a web stream takes longer than its reader, and browsers may not support it.
    const source = "getReader" in body ? body.getReader() : body[Symbol.asyncIterator]();
    const bytes = await readBytes(source, maxResponseBytes);
    if (bytes !== undefined) return decode(attempt, response, bytes);
  } else {
    // A custom `Response` may have no stream. Its characters are counted instead of its bytes.
    const text = "text" in response ? await (response as Response).text() : "";
    if (text.length <= maxResponseBytes) return text;
  }
  const { operation } = request;
  const message = `${operation}: the response body (${status}) is longer than maxResponseBytes: ${maxResponseBytes}`;
  throw new ResponseTooLargeError(message, { operation, status, maxResponseBytes });
}

/** Decodes a body. One that the contract describes must be valid UTF-8, so that no data has replaced characters. */
function decode(attempt: Attempt, response: TransportResponse, bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    const value = utf8.decode(bytes);
    const mismatches = [{ path: "", message: "expected UTF-8" }];
    if (attempt.request.data && isSuccessful(response)) reportMismatch(attempt, response, { value, mismatches });
    return value;
  }
}

/** Returns the `Response` of a transport; one without a body if the transport returned another object. */
export function asResponse(received: TransportResponse): Response {
  if ("text" in received) return received as Response;
  const response = new Response(null, { headers: [...received.headers] });
  // The constructor rejects a status above 599, and sets no URL.
  Object.defineProperties(response, {
    status: { value: received.status },
    ok: { value: isSuccessful(received) },
    url: { value: received.url ?? "" },
  });
  return response;
}

/** Returns whether a response has a status of success. */
function isSuccessful({ status }: TransportResponse): boolean {
  return status >= 200 && status <= 299;
}
