import { asError, describeType } from "../../src/values/describe.ts";
import { SECRET } from "../options/field-types.ts";

/** The part of a request that the service reads. A `Request` has it, and so does a request from a socket. */
export interface IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: {
    get(name: string): string | null;
    /** Returns the lower-case name of every header. */
    keys(): Iterable<string>;
  };
  /** Null for a request without a body. */
  readonly body: unknown;
  /** Whether `Content-Length` was sent; undefined in the process, where requests do not have the header. */
  readonly hasLength?: boolean | undefined;
  readonly signal: AbortSignal;
  arrayBuffer(): Promise<ArrayBuffer | Uint8Array>;
}

/** The parts of a URL. */
export interface Address {
  readonly baseUrl: string;
  /** The path below the base URL. */
  readonly path: string;
  /** The query string, without its question mark. */
  readonly search: string;
}

/**
 * Splits a URL into its parts.
 *
 * @param prefixes The paths of the base URLs that have one, longest first. The host does not matter.
 */
export function splitAddress(url: string, prefixes: readonly string[]): Address {
  const { origin, pathname, search } = new URL(url);
  const prefix = prefixes.find((known) => pathname.startsWith(`${known}/`)) ?? "";
  return { baseUrl: origin + prefix, path: pathname.slice(prefix.length), search: search.slice(1) };
}

/** Decodes a segment of a path. One that is not valid stays as it is. */
export function decodeSegment(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A response of the service before it is encoded: a status, a JSON body (undefined for an empty one) and headers. */
export interface Reply {
  readonly status: number;
  /** Whether the contract may declare another status for this failure. */
  readonly isDeclared?: boolean;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response as it is sent, before an adapter turns it into its own kind of response. */
export interface SentResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The values of `Set-Cookie`, which may be several. Only a middleware sets cookies. */
  readonly cookies?: readonly string[];
  /** The body, usually JSON; undefined when it is empty. */
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** A response of the mock itself. */
export interface EncodedResponse extends SentResponse {
  readonly body: string | undefined;
}

/** Encodes a response. It names the version that processed the request. */
export function encodeResponse(
  status: number,
  body: string | undefined,
  version: string | undefined,
  given?: Reply["headers"],
): EncodedResponse {
  const headers: Record<string, string> = { ...given };
  if (version !== undefined) headers["Service-Version"] = version;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  return { status, headers, body };
}

/** Returns what a function returned if it is a response: as a user's function, it may return something else. */
export function requireResponse(value: unknown, what: string): Response {
  const { status, body } = Object(value) as Partial<Response>;
  if (Number.isInteger(status) && (!body || typeof body.pipeThrough === "function")) return value as Response;
  const example = "new Response(null, { status: 204 })";
  throw new TypeError(`${what} must return a Response, such as ${example}; received ${describeType(value)}.`);
}

/** The statuses whose responses have no body (Fetch standard, "null body status"). */
export const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The texts of the mock's statuses (RFC 9110, section 15), which a server sends and a `Response` does not have by itself. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  ...{ 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 400: "Bad Request", 401: "Unauthorized" },
  ...{ 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 409: "Conflict", 411: "Length Required" },
  ...{ 413: "Payload Too Large", 422: "Unprocessable Entity", 429: "Too Many Requests" },
  ...{ 500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable", 507: "Insufficient Storage" },
};

/** Converts an encoded response into a `Response`, which has no body if the request was a HEAD. */
export function toResponse({ status, headers, cookies = [], body }: SentResponse, method: string): Response {
  const isEmpty = body === undefined || method === "HEAD" || WITHOUT_BODY.has(status);
  const response = new Response(isEmpty ? null : body, { status, headers, statusText: STATUS_TEXTS[status] ?? "" });
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

const MAX_STACK = 2_000;

/** Prints on the console (on stderr, where there is one) what a test may have overlooked. */
export function printWarning(message: string): void {
  // biome-ignore lint/suspicious/noConsole: the mock has no other way to reach the person who runs it.
  console.warn(`mock: ${message}`);
}

/** Prints on the console (on stderr, where there is one) what the mock failed to do, and why. */
export function reportFailure(what: string, error: unknown): void {
  const { message, stack } = asError(error);
  // biome-ignore lint/suspicious/noConsole: the mock has no other way to reach the person who runs it.
  console.error(`The mock failed ${what} ${(typeof stack === "string" ? stack : message).slice(0, MAX_STACK)}`);
}

/** Matches a webhook secret, also with the escapes of JSON. A choice inside of it would overflow the stack for long ones. */
const WEBHOOK_SECRET = /whsec_[\w+/\\=-]+/g;

/** Matches the beginning of a URL, and what may contain a user name and a password: parsers accept any number of slashes. */
const AUTHORITY = /(https?:[\\/]*)([^\s"<>/?#\\]+)/gi;

/** Replaces webhook secrets, and the user names and passwords of URLs. */
export function redactSecrets(text: string): string {
  const withoutUser = (_: string, scheme: string, authority: string) =>
    scheme + authority.replace(/^.*@/s, "[redacted]@");
  return text.replace(WEBHOOK_SECRET, "[redacted]").replace(AUTHORITY, withoutUser);
}

/** Whether a value may be secret: because of the name that it has, or because of what it contains. */
export function isSecret(name: string, value: string): boolean {
  return SECRET.test(name) || redactSecrets(value) !== value;
}
