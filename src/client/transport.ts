import ky, { isNetworkError as isKyNetworkError, type Options } from "ky";
import { describeType } from "../errors/describe-value.ts";
import { type BillingError, InvalidInputError, isBillingError, NetworkError } from "../errors/index.ts";
import { own } from "./own.ts";
import { sanitizeError } from "./redact.ts";

/** One HTTP request, complete. */
export interface HttpRequest {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
  readonly fetch: ((request: Request) => Promise<Response>) | undefined;
  /** The access token, redacted in every error. */
  readonly token: string;
}

/**
 * Sends one request, once. A redirect is returned, not followed, since it could send the token to another host.
 *
 * ky gets an absolute address and does not retry, time out, call hooks or read the body. Its custom `fetch` sends the
 * request unchanged, so that ky never sees the token and only the request decides where it goes.
 */
export async function transport(message: HttpRequest): Promise<Response> {
  const { url, method } = message;
  try {
    return await ky(url, { ...unset(), method, fetch: lastStep(message), ...UNTOUCHED });
  } catch (error) {
    throw asBillingError(error, message, (lost) => placeholderHint(message, lost));
  }
}

const UNTOUCHED = { redirect: "manual", retry: 0, timeout: false, throwHttpErrors: false } as const;

/** Values for the options that ky would otherwise read from `Object.prototype`. */
const UNSET: Options = {
  baseUrl: "",
  prefix: "",
  searchParams: undefined,
  json: undefined,
  body: null,
  headers: {},
  hooks: {},
};
const UNSET_NAMES = Object.keys(UNSET);

/** Returns those values only if they make a difference, since ky copies each option several times. */
function unset(): Options {
  return UNSET_NAMES.some((name) => name in Object.prototype) ? UNSET : {};
}

/** Creates ky's `fetch`. The global `fetch` is looked up for each request, since a tool may replace it. */
function lastStep({ url, method, headers, body, signal, fetch, operation }: HttpRequest): () => Promise<Response> {
  const init = own<RequestInit>({
    method,
    headers,
    signal,
    redirect: "manual",
    ...(body === undefined ? {} : { body }),
  });
  if (fetch === undefined) return () => globalThis.fetch(url, init);
  return async () => {
    const response: unknown = await fetch(new Request(url, init));
    if (isResponse(response)) return response;
    throw new InvalidInputError("fetch", `must return a Response; received ${describeType(response)}`, { operation });
  };
}

function isResponse(value: unknown): value is Response {
  if (typeof value !== "object" || value === null) return false;
  const { status, headers, text } = value as { status?: unknown; headers?: { get?: unknown } | null; text?: unknown };
  return typeof status === "number" && typeof headers?.get === "function" && typeof text === "function";
}

/**
 * Converts an error of a request into an error of the package. ky wraps a lost connection in an error that contains the
 * Request; only its cause is kept.
 */
export function asBillingError(error: unknown, { operation, token }: Secretive, hint: Hint = () => ""): BillingError {
  try {
    if (isBillingError(error)) return error;
    const lost = isKyNetworkError(error) ? error.cause : error;
    return networkError(operation, sanitizeError(lost, token), hint(lost));
  } catch {
    return networkError(operation, new Error(`an unreadable value of type ${typeof error}`));
  }
}

/** Returns the end of the message about a lost request. */
type Hint = (lost: unknown) => string;

type Secretive = Pick<HttpRequest, "operation" | "token">;

/** Explains why the host name of an environment was not found: it is a placeholder (G-BASE). */
function placeholderHint({ url, fetch }: HttpRequest, lost: unknown): string {
  const { hostname } = new URL(url);
  if (fetch !== undefined || !hostname.endsWith(".example") || !isHostUnknown(innermost(lost))) return "";
  return `; ${hostname} is a placeholder: set \`baseUrl\`, or use the mock (\`fetch: mock.fetch\`, or \`npx billing-mock\`)`;
}

/** Whether the host name may be unknown. Browsers do not tell: their error has neither a code nor a cause. */
function isHostUnknown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return code === undefined ? error.cause === undefined : code === "ENOTFOUND" || code === "EAI_AGAIN";
}

/** Creates the error of a lost request or response. */
function networkError(operation: string, cause: unknown, hint = ""): NetworkError {
  return new NetworkError(`${operation}: the connection failed: ${reason(cause)}${hint}`, { operation, cause });
}

/** Returns the innermost message: Node's outer one is always `fetch failed`. */
function reason(cause: unknown): string {
  const error = innermost(cause);
  if (!(error instanceof Error)) return String(error);
  return error.message || (error as { code?: string }).code || error.name;
}

function innermost(lost: unknown): unknown {
  let error = lost;
  for (let depth = 0; depth < 5 && error instanceof Error && error.cause instanceof Error; depth++) error = error.cause;
  return error;
}
