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
 * ky is used in its cheap form: an absolute address, and no retry, time-out, hook or body reading of its own.
 */
export async function transport(message: Message): Promise<Response> {
  try {
    return await ky(message.url, kyOptions(message));
  } catch (error) {
    throw asNetworkError(error, message);
  }
}

function kyOptions({ method, headers, body, signal, fetch, operation }: Message): Parameters<typeof ky>[1] {
  return {
    method,
    headers,
    signal,
    redirect: "manual",
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    ...(body === undefined ? {} : { body }),
    ...(fetch === undefined ? {} : { fetch: guarded(fetch, operation) }),
  };
}

/** Hands the request alone to the caller's fetch, and refuses an answer that is none. */
function guarded(fetch: (request: Request) => Promise<Response>, operation: string): typeof globalThis.fetch {
  return async (request) => {
    const response: unknown = await fetch(request as Request);
    if (isResponse(response)) return response;
    throw new InvalidInputError("fetch", "must give a Response", { operation });
  };
}

function isResponse(value: unknown): value is Response {
  return typeof value === "object" && value !== null && "status" in value && "headers" in value && "text" in value;
}

/** ky wraps a lost connection into an error that carries the Request, and so the token: what is behind it is kept. */
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
