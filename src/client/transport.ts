import ky, { isNetworkError as isKyNetworkError, type Options } from "ky";
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
  /** Kept out of every error. */
  readonly token: string;
}

/**
 * Sends one message, once. A redirect is answered as it comes: following it could take the token to another host.
 *
 * ky is used in its cheap form: an absolute address, and no retry, timeout, hook or body reading of its own. The last step
 * sends the message as it is, so that ky never holds the token, and so that nothing but the message says where it goes.
 */
export async function transport(message: HttpRequest): Promise<Response> {
  const { url, method } = message;
  try {
    return await ky(url, { ...unset(), method, fetch: lastStep(message), ...UNTOUCHED });
  } catch (error) {
    throw asBillingError(error, message, placeholder(url));
  }
}

const UNTOUCHED = { redirect: "manual", retry: 0, timeout: false, throwHttpErrors: false } as const;

/** The options that ky would otherwise read from `Object.prototype`. */
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

/** ky copies each option several times, so that those without a value are given only where they make a difference. */
function unset(): Options {
  return UNSET_NAMES.some((name) => name in Object.prototype) ? UNSET : {};
}

/** The global fetch is looked up for each message, since a tool may replace it at any time. */
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
    throw new InvalidInputError("fetch", "must give a Response", { operation });
  };
}

function isResponse(value: unknown): value is Response {
  if (typeof value !== "object" || value === null) return false;
  const { status, headers, text } = value as { status?: unknown; headers?: { get?: unknown } | null; text?: unknown };
  return typeof status === "number" && typeof headers?.get === "function" && typeof text === "function";
}

/**
 * Turns whatever was thrown while a request was under way into an error of the package.
 *
 * ky wraps a lost connection into an error that carries the Request: what is behind it is kept.
 */
export function asBillingError(error: unknown, { operation, token }: Secretive, hint = ""): BillingError {
  try {
    if (isBillingError(error)) return error;
    return lost(operation, sanitizeError(isKyNetworkError(error) ? error.cause : error, token), hint);
  } catch {
    return lost(operation, new Error(`a value of type ${typeof error} that cannot be read`), hint);
  }
}

type Secretive = Pick<HttpRequest, "operation" | "token">;

/** The addresses of the environments are placeholders until the service names real ones (G-BASE). */
function placeholder(url: string): string {
  const { hostname } = new URL(url);
  if (!hostname.endsWith(".example")) return "";
  return `; ${hostname} is a placeholder: give \`baseUrl\`, or use the mock (\`fetch: mock.fetch\`, or \`npx billing-mock\`)`;
}

/** The error of a request or an answer that was lost. */
function lost(operation: string, cause: unknown, hint: string): NetworkError {
  return new NetworkError(`${operation}: the connection failed: ${reason(cause)}${hint}`, { operation, cause });
}

/** The innermost message says most: `fetch failed` is what Node says of everything. */
function reason(cause: unknown): string {
  let error = cause;
  for (let depth = 0; depth < 5 && error instanceof Error && error.cause instanceof Error; depth++) error = error.cause;
  if (!(error instanceof Error)) return String(error);
  return error.message || (error as { code?: string }).code || error.name;
}
