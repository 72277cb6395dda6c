import { describeIssue, flattenIssues } from "../contract/flatten-issues.ts";
import type { Schema, ZodSchema } from "../contract/index.ts";
import {
  ApiError,
  type BillingError,
  isBillingError,
  type Mismatch,
  NetworkError,
  RateLimitError,
  ResponseMismatchError,
  ResponseTooLargeError,
  VersionMismatchError,
} from "../errors/index.ts";
import { readBytes } from "../values/bytes.ts";
import { asError, listFirst, ownField } from "../values/describe.ts";
import { countValues } from "../values/json.ts";
import type { FetchedResponse, OnMismatch } from "./options.ts";
import { redact, sanitizeError } from "./redact.ts";
import type { PreparedRequest } from "./request.ts";
import { readRetryAfter } from "./retry.ts";
import type { CallContext, Settings } from "./settings.ts";

/** A successful response with its data and metadata. */
export interface CallResponse<Data> {
  /**
   * The response body. For an operation, it matches the contract, unless `onResponseMismatch` accepts others; for
   * `client.request`, it is not checked. It keeps fields that the contract does not define.
   */
  readonly data: Data;
  /** The HTTP response as it was received; its headers are not redacted. Its body has been read. */
  readonly response: Response;
  /** The version that processed the request: the response's `Service-Version`; undefined if the header is missing. */
  readonly version: string | undefined;
}

/**
 * Reads a successful response and checks it against the contract.
 *
 * @throws {@link NetworkError} when it is lost or not from the service, {@link ResponseTooLargeError},
 * {@link ResponseMismatchError} or {@link VersionMismatchError}.
 */
export async function readResponse(
  context: CallContext,
  response: Response,
  readable: FetchedResponse = response,
): Promise<CallResponse<unknown>> {
  const { call, request } = context;
  const { operation } = request;
  const { status, headers } = response;
  const text = await readText(context, readable, call.maxResponseBytes);
  const version = headers.get("service-version") || undefined;
  const isEmpty = text === "" && request.data === undefined;
  const reading: Reading = isEmpty ? { value: undefined } : readJson(request, text);
  if (version === undefined && reading.isText) {
    // For example the page of a login or a captive portal.
    const message = `${operation}: the response (${status}) is not from the service: ${describePage(context, headers, text)}`;
    throw new NetworkError(message, { operation });
  }
  const error = checkVersion(context, version, status, reading.value) ?? checkShape(context, reading, status, version);
  if (error) throw error;
  return { data: reading.value, version, response };
}

/** The number of characters of a page that a message quotes. */
const QUOTED = 100;

/** Describes a response without `Service-Version` that is not JSON by its content type and its beginning. */
function describePage({ tokens }: CallContext, headers: Pick<Headers, "get">, page: string): string {
  const type = redact(headers.get("content-type") ?? "no content type", tokens);
  const start = redact(page, tokens).trim().slice(0, QUOTED).replace(/\s+/g, " ");
  return `${type}, ${start === "" ? "no content" : JSON.stringify(start)}`;
}

/** Returns the error for another version than the client's, unless it is only logged. */
function checkVersion(
  { settings, request: { operation }, tokens }: CallContext,
  version: string | undefined,
  status: number,
  data: unknown,
): VersionMismatchError | undefined {
  const { version: expected, onVersionMismatch } = settings;
  if (version === expected || (version === undefined && status >= 300)) return undefined;
  const received = version && redact(version, tokens);
  const facts = { operation, expected, received, status, data };
  if (received === undefined) {
    const message = `${operation}: the response has no Service-Version header (CORS or a proxy may hide it)`;
    return report(settings, "warn", ["no version"], () => new VersionMismatchError(message, facts));
  }
  const message = `${operation}: expected version ${expected}, received ${received} (status ${status}). Check baseUrl`;
  const make = () => new VersionMismatchError(message, facts);
  return report(settings, onVersionMismatch, [`${operation} ${received}`], make);
}

/** Returns the error for a body that does not match the contract, unless it is only logged. */
function checkShape(
  { settings, request: { operation }, tokens }: CallContext,
  { value: data, mismatches: found, total }: Reading,
  status: number,
  header: string | undefined,
): ResponseMismatchError | undefined {
  if (found === undefined) return undefined;
  const fields = found.map(({ path }) => `${operation} ${path.replace(/\[[^[\]]*\]/g, "[]")}`);
  return report(settings, settings.onResponseMismatch, fields, () => {
    const mismatches = found.map(({ path, message }) => {
      return { path: redact(path, tokens), message: redact(message, tokens) };
    });
    const problems = listFirst(mismatches, ({ path, message }) => `${path || "body"}: ${message}`, total);
    const message = `${operation}: the response (${status}) does not match version ${settings.version}: ${problems}`;
    const version = header && redact(header, tokens);
    return new ResponseMismatchError(message, { operation, mismatches, status, version, data });
  });
}

/** The maximum size of the body of an error, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** Reads the body of a response with an error status, and returns the error. A lost body does not change it. */
export async function readError(
  context: CallContext,
  response: Response,
  readable: FetchedResponse,
): Promise<ApiError | VersionMismatchError> {
  try {
    const text = await readText(context, readable, Math.min(MAX_BYTES, context.call.maxResponseBytes));
    return apiErrorOf(context, response, parseJson(redact(text, context.tokens)));
  } catch (cause) {
    if (!isBillingError(cause)) throw cause; // The caller's signal.
    return apiErrorOf(context, response, { cause });
  }
}

/** Returns the error for a response with an error status. */
export function apiErrorOf(
  context: CallContext,
  response: Response,
  { value: rawBody, isText = rawBody === undefined, cause }: Partial<Reading> & { readonly cause?: unknown },
): ApiError | VersionMismatchError {
  const { request, tokens } = context;
  const { operation } = request;
  const { status, headers } = response;
  const header = headers.get("service-version") || undefined;
  // A 404 may name Current, because the service does not support the requested version (section 9.3; G-404-VER).
  const mismatch = status === 404 ? undefined : checkVersion(context, header, status, rawBody);
  if (mismatch) return mismatch;
  const version = header && redact(header, tokens);
  const fromService = version !== undefined || !isText;
  const page = !fromService && rawBody ? describePage(context, headers, String(rawBody)) : undefined;
  const note =
    (status === 404 ? causeOfNotFound(context, version) : undefined) ?? (page && `not from the service: ${page}`);
  const detail = redirect(response, tokens);
  const facts = { operation, status, rawBody, response, version, fromService, cause, detail, note };
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

/** The maximum number of different warnings of a client. */
const MAX_WARNED = 1_000;

/** Returns the error to throw. With the action `warn`, logs it instead, once per client for each of its subjects. */
function report<Reported extends BillingError>(
  { logger, warned }: Settings,
  action: OnMismatch,
  subjects: readonly string[],
  make: () => Reported,
): Reported | undefined {
  if (action === "throw") return make();
  const fresh = subjects.filter((each) => !warned.has(each));
  if (fresh.length === 0 || warned.size >= MAX_WARNED) return undefined;
  for (const each of fresh) warned.add(each);
  const error = make();
  logger.warn?.(error.message, error.toJSON());
  return undefined;
}

/** The maximum number of listed mismatches. */
const MAX_LISTED = 100;

/** The maximum number of names and values of a response: 32 MiB can have twelve million, which take gigabytes. */
const MAX_VALUES = 1_000_000;

/** A body with more of them is not checked: zod takes kilobytes for each problem. */
const MAX_CHECKED = 50_000;

/** A body that was read. */
interface Reading {
  /** Parsed JSON, otherwise text. */
  readonly value: unknown;
  /** Whether JSON was expected, and the body is something else. */
  readonly isText?: boolean;
  /** The mismatches with the contract, at most 100; undefined if there are none. */
  readonly mismatches?: readonly Mismatch[] | undefined;
  /** The number of mismatches, as far as counted. */
  readonly total?: number;
}

/** Reads JSON that must match the schema of the request, if it has one. */
function readJson({ data: schema }: PreparedRequest, text: string): Reading {
  const reading = parseJson(text);
  if (schema === undefined) return { ...reading, mismatches: undefined };
  return reading.isText || hasMore(MAX_CHECKED, text) ? reading : check(schema, reading.value);
}

/** Whether a value matches a schema. */
function matches(schema: Schema, value: unknown): boolean {
  return check(schema, value).mismatches === undefined;
}

/** Checks a value with a schema, and keeps fields that the schema does not know. */
function check(schema: Schema, value: unknown): Reading {
  try {
    const { success, error } = (schema as ZodSchema).safeParse(value);
    if (success) return { value };
    const mismatches = flattenIssues(error.issues.slice(0, MAX_LISTED), value).slice(0, MAX_LISTED).map(describeIssue);
    return { value, mismatches, total: Math.max(error.issues.length, mismatches.length) };
  } catch (error) {
    return { value, mismatches: [{ path: "", message: `the schema failed: ${asError(error).message}` }] };
  }
}

/** Parses JSON. Returns the text and a mismatch if it is something else. */
function parseJson(text: string): Reading {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // Without the error of the engine, which quotes the text: it may contain a secret.
    const received = text.trim() === "" ? "nothing" : "other text";
    return { value: text, isText: true, mismatches: [{ path: "", message: `expected JSON, received ${received}` }] };
  }
}

const utf8 = new TextDecoder();

/** The maximum size of a body that is read as a whole, in bytes. */
const SHORT = 64 * 1024;

/**
 * Reads a body as text, up to a limit. The `Content-Length` cannot tell: a decompressed body can be a thousand times as long.
 *
 * @throws {@link ResponseTooLargeError} when the body is too long. The rest of it is not read.
 */
async function readText(context: CallContext, response: FetchedResponse, maxResponseBytes: number): Promise<string> {
  const { status } = response;
  const text = await readUpTo(response, maxResponseBytes).catch((error: unknown) => {
    throw networkErrorOf(context, error);
  });
  if (text !== undefined) return text;
  const { operation } = context.request;
  const limits = `longer than maxResponseBytes: ${maxResponseBytes}, or has more than ${MAX_VALUES} names and values`;
  const message = `${operation}: the response body (${status}) is ${limits}`;
  throw new ResponseTooLargeError(message, { operation, status, maxResponseBytes });
}

async function readUpTo(response: FetchedResponse, maxBytes: number): Promise<string | undefined> {
  const { body, headers } = response;
  const length = Number(headers.get("content-length") ?? Number.NaN);
  // A short body is read faster as a whole. A custom response may have no stream.
  if (!body || (length <= Math.min(maxBytes, SHORT) && !headers.get("content-encoding") && response.text)) {
    const text = (await response.text?.()) ?? "";
    return text.length <= maxBytes && !hasMore(MAX_VALUES, text) ? text : undefined;
  }
  // Iterating over a web stream takes longer than its reader, and browsers may not support it.
  const source = "getReader" in body ? body.getReader() : body[Symbol.asyncIterator]();
  const bytes = await readBytes(source, maxBytes);
  return bytes && !hasMore(MAX_VALUES, bytes) ? utf8.decode(bytes) : undefined;
}

/** Whether JSON has more names and values than a number. */
function hasMore(most: number, json: string | Uint8Array): boolean {
  return json.length > most && countValues(json, most) > most;
}

/** Returns the error for a request or a response that was lost. An error of the package stays as it is. */
export function networkErrorOf({ call, request, tokens }: CallContext, raw: unknown): unknown {
  if (isBillingError(raw) || call.signal?.aborted) return raw;
  const { operation } = request;
  const cause = sanitizeError(raw, tokens);
  // Node's error is always `fetch failed`; its cause has the code.
  const code = ownField(cause.cause, "code") ?? ownField(cause, "code");
  const { hostname } = new URL(request.url);
  const isPlaceholder = hostname.endsWith(".example") && (code === "ENOTFOUND" || code === "EAI_AGAIN");
  const advice = `; ${hostname} is a placeholder: set \`baseUrl\`, or \`fetch: mock.fetch\` for tests`;
  const problem = `the connection failed${typeof code === "string" ? ` (${code})` : ""}`;
  const message = `${operation}: ${problem}${isPlaceholder ? advice : ""}`;
  return new NetworkError(message, { operation, cause, isPlaceholder });
}
