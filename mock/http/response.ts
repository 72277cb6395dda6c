import { asError, describeType } from "../../src/values/describe.ts";

/** A response of the service before it is encoded: a status, a JSON body (undefined for an empty one) and headers. */
export interface Reply {
  readonly status: number;
  /** Whether the contract may declare another status for this failure. */
  readonly isDeclared?: boolean;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response as it is sent, before an adapter turns it into its own kind of response. */
export interface EncodedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, usually JSON; undefined when it is empty. */
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
export function toResponse({ status, headers, body }: EncodedResponse, method: string): Response {
  const isEmpty = body === undefined || method === "HEAD" || WITHOUT_BODY.has(status);
  return new Response(isEmpty ? null : body, { status, headers, statusText: STATUS_TEXTS[status] ?? "" });
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
