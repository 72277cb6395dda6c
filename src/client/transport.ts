import ky, { isNetworkError as isKyNetworkError } from "ky";
import { BillingError, InvalidInputError, NetworkError } from "../errors/index.ts";
import { harmless } from "./secrecy.ts";

/** One HTTP request, complete. */
export interface Message {
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
 * ky is used in its cheap form: an absolute address, and no retry, time-out, hook or body reading of its own. The headers
 * and the signal join in the last step, so that ky never holds the token.
 */
export async function transport(message: Message): Promise<Response> {
  const { url, method, body } = message;
  const options = { method, fetch: lastStep(message), ...UNTOUCHED };
  try {
    return await ky(url, body === undefined ? options : { ...options, body });
  } catch (error) {
    throw asNetworkError(error, message);
  }
}

const UNTOUCHED = { redirect: "manual", retry: 0, timeout: false, throwHttpErrors: false } as const;

/** The global fetch is looked up for each message, since a tool may replace it at any time. */
function lastStep({ headers, signal, fetch, operation }: Message): (request: RequestInfo | URL) => Promise<Response> {
  if (fetch === undefined) return (request) => globalThis.fetch(request, { headers, signal });
  return async (request) => {
    const response: unknown = await fetch(new Request(request, { headers, signal }));
    if (isResponse(response)) return response;
    throw new InvalidInputError("fetch", "must give a Response", { operation });
  };
}

function isResponse(value: unknown): value is Response {
  return typeof value === "object" && value !== null && "status" in value && "headers" in value && "text" in value;
}

/** ky wraps a lost connection into an error that carries the Request: what is behind it is kept. */
function asNetworkError(error: unknown, { operation, token }: Message): BillingError {
  if (error instanceof BillingError) return error;
  const cause = harmless(isKyNetworkError(error) ? error.cause : error, token);
  return lost(operation, cause);
}

/** The error of a request or an answer that was lost. */
export function lost(operation: string, cause: unknown): NetworkError {
  return new NetworkError(`${operation}: the connection failed: ${reason(cause)}`, { operation, cause });
}

/** The innermost message says most: `fetch failed` is what Node says of everything. */
function reason(cause: unknown): string {
  let error = cause;
  for (let depth = 0; depth < 5 && error instanceof Error && error.cause instanceof Error; depth++) error = error.cause;
  if (!(error instanceof Error)) return String(error);
  return error.message || (error as { code?: string }).code || error.name;
}
