import { describeIssue, flattenIssues } from "../contract/flatten-issues.ts";
import type { Schema, ZodSchema } from "../contract/index.ts";
import {
  type BillingError,
  type Mismatch,
  NetworkError,
  ResponseMismatchError,
  ResponseTooLargeError,
  VersionMismatchError,
} from "../errors/index.ts";
import { readBytes } from "../values/bytes.ts";
import { listFirst } from "../values/describe.ts";
import { countValues } from "../values/json-size.ts";
import { networkErrorOf } from "./network-error.ts";
import type { FetchedResponse, OnMismatch } from "./options.ts";
import { redact, sanitizeError } from "./redact.ts";
import type { CallContext, Settings } from "./settings.ts";

/** A successful response, read and checked. */
export interface ParsedResponse {
  readonly data: unknown;
  readonly version: string | undefined;
  readonly response: Response;
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
): Promise<ParsedResponse> {
  const { call, request } = context;
  const { status, headers } = response;
  const text = await readText(context, readable, call.maxResponseBytes);
  const version = headers.get("service-version") || undefined;
  const isEmpty = text === "" && request.data === undefined;
  const isJson =
    request.data !== undefined || version === undefined || /[/+]json\b/i.test(headers.get("content-type") ?? "");
  const reading = isEmpty || !isJson ? { value: isEmpty ? undefined : text } : readJson(context, text, status);
  if (version === undefined && reading.isText) throw pageError(context, response, text);
  const error = checkVersion(context, version, status, reading.value) ?? checkShape(context, reading, status, version);
  if (error) throw error;
  return { data: reading.value, version, response };
}

/** Returns the error for a page with a status of success, for example of a login or a captive portal. */
function pageError(context: CallContext, { status, headers }: Response, text: string): NetworkError {
  const { operation } = context.request;
  const page = describePage(context, headers, text);
  const message = `${operation}: the response (${status}) is not from the service: ${page}`;
  return new NetworkError(message, { operation });
}

/** The number of characters of a page that a message quotes. */
const QUOTED = 100;

/** Describes a response without `Service-Version` that is not JSON by its content type and its beginning. */
export function describePage({ tokens }: CallContext, headers: Pick<Headers, "get">, page: string): string {
  const type = redact(headers.get("content-type") ?? "no content type", tokens);
  const start = redact(page, tokens).trim().slice(0, QUOTED).replace(/\s+/g, " ");
  return `${type}, ${start === "" ? "no content" : JSON.stringify(start)}`;
}

/** Returns the error for another version than the client's, unless it is only logged or ignored. */
export function checkVersion(
  { settings, request: { operation }, tokens }: CallContext,
  version: string | undefined,
  status: number,
  data: unknown,
): VersionMismatchError | undefined {
  const { version: expected, onVersionMismatch } = settings;
  if (version === expected || onVersionMismatch === "ignore") return undefined;
  if (version === undefined) {
    const message = `${operation}: the response has no Service-Version header (CORS or a proxy may hide it)`;
    if (status < 300 && isNews(settings, ["no version"])) settings.logger.warn?.(message, { operation, expected });
    return undefined;
  }
  const received = redact(version, tokens);
  if (onVersionMismatch === "warn" && !isNews(settings, [`${operation} ${received}`])) return undefined;
  const message = `${operation}: expected version ${expected}, received ${received} (status ${status}). Check baseUrl`;
  return report(
    settings,
    onVersionMismatch,
    new VersionMismatchError(message, { operation, expected, received, status, data }),
  );
}

/** Returns the error for a body that does not match the contract, unless it is only logged or ignored. */
function checkShape(
  { settings, request: { operation }, tokens }: CallContext,
  { value, mismatches: found, total, cause }: Reading,
  status: number,
  header: string | undefined,
): ResponseMismatchError | undefined {
  const { onResponseMismatch, version } = settings;
  if (found === undefined || onResponseMismatch === "ignore") return undefined;
  const fields = found.map(({ path }) => `${operation} ${path.replace(/\[[^[\]]*\]/g, "[]")}`);
  if (onResponseMismatch === "warn" && !isNews(settings, fields)) return undefined;
  const mismatches = found.map(({ path, message }) => {
    return { path: redact(path, tokens), message: redact(message, tokens) };
  });
  const problems = listFirst(mismatches, ({ path, message }) => `${path || "body"}: ${message}`, total);
  const message = `${operation}: the response (${status}) does not match version ${version}: ${problems}`;
  const received = header && redact(header, tokens);
  const facts = {
    operation,
    mismatches,
    status,
    version: received,
    data: value,
    cause: cause && sanitizeError(cause, tokens),
  };
  return report(settings, onResponseMismatch, new ResponseMismatchError(message, facts));
}

/** Returns the error if it is to be thrown; otherwise logs it as a warning. */
function report<Reported extends BillingError>(
  { logger }: Settings,
  reaction: OnMismatch,
  error: Reported,
): Reported | undefined {
  if (reaction === "throw") return error;
  logger.warn?.(error.message, error.toJSON());
  return undefined;
}

/** Whether the client has not yet logged a warning about one of several things. Remembers all of them. */
function isNews({ warned }: Settings, things: readonly string[]): boolean {
  const fresh = things.filter((each) => !warned.has(each));
  if (fresh.length === 0 || warned.size >= MAX_WARNED) return false;
  for (const each of fresh) warned.add(each);
  return true;
}

/** The maximum number of different warnings of a client. */
const MAX_WARNED = 1_000;

/** The maximum number of listed mismatches. */
const MAX_LISTED = 100;

/** The maximum number of names and values of a response: 32 MiB can have twelve million, which take gigabytes. */
const MAX_VALUES = 1_000_000;

/** The maximum number of those that are checked: zod takes kilobytes for each problem. */
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
  /** The error behind a mismatch. */
  readonly cause?: unknown;
}

/** Reads JSON that must match the schema of the request, if it has one. */
function readJson({ request }: CallContext, text: string, status: number): Reading {
  const { operation, data: schema } = request;
  const values = text.length > MAX_CHECKED ? countValues(text, MAX_VALUES) : 0;
  if (values > MAX_VALUES) {
    const message = `${operation}: the response body (${status}) has more than ${MAX_VALUES} names and values`;
    throw new ResponseTooLargeError(message, { operation, status, maxResponseBytes: undefined });
  }
  const reading = parseJson(text);
  if (schema === undefined || reading.isText) return reading;
  if (values <= MAX_CHECKED) return check(schema, reading.value);
  return { ...reading, mismatches: [{ path: "", message: `not checked: more than ${MAX_CHECKED} names and values` }] };
}

/** Whether a value matches a schema. */
export function matches(schema: Schema, value: unknown): boolean {
  return check(schema, value).mismatches === undefined;
}

/** Checks a value with a schema, and keeps fields that the schema does not know. */
function check(schema: Schema, value: unknown): Reading {
  try {
    const { success, error } = (schema as ZodSchema).safeParse(value);
    if (success) return { value };
    const mismatches = flattenIssues(error.issues.slice(0, MAX_LISTED), value).slice(0, MAX_LISTED).map(describeIssue);
    return { value, mismatches, total: Math.max(error.issues.length, mismatches.length) };
  } catch (cause) {
    return { value, mismatches: [{ path: "", message: "the schema failed; see `cause`" }], cause };
  }
}

/** Parses JSON. Returns the text and a mismatch if it is something else. */
export function parseJson(text: string): Reading {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // Without the error of the engine, which quotes the text: it may contain a secret.
    const received = text.trim() === "" ? "nothing" : "other text";
    return { value: text, isText: true, mismatches: [{ path: "", message: `expected JSON, received ${received}` }] };
  }
}

const utf8 = new TextDecoder();

/**
 * Reads a body as text, up to a limit. The `Content-Length` cannot tell: a decompressed body can be a thousand times as long.
 *
 * @throws {@link ResponseTooLargeError} when the body is too long. The rest of it is not read.
 */
export async function readText(
  context: CallContext,
  response: FetchedResponse,
  maxResponseBytes: number,
): Promise<string> {
  const { status } = response;
  const text = await readUpTo(response, maxResponseBytes).catch((error: unknown) => {
    throw networkErrorOf(context, error);
  });
  if (text !== undefined) return text;
  const { operation } = context.request;
  const message = `${operation}: the response body (${status}) is longer than maxResponseBytes: ${maxResponseBytes}`;
  throw new ResponseTooLargeError(message, { operation, status, maxResponseBytes });
}

async function readUpTo(response: FetchedResponse, maxBytes: number): Promise<string | undefined> {
  const { body } = response;
  if (!body) {
    // A custom response may have no stream. Its characters are counted instead of its bytes.
    const text = (await response.text?.()) ?? "";
    return text.length <= maxBytes ? text : undefined;
  }
  // Iterating over a web stream takes longer than its reader, and browsers may not support it.
  const source = "getReader" in body ? body.getReader() : body[Symbol.asyncIterator]();
  const bytes = await readBytes(source, maxBytes);
  return bytes && utf8.decode(bytes);
}
