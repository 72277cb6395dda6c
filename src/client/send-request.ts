import { describeType } from "../errors/describe-value.ts";
import { type BillingError, InvalidInputError, isBillingError, NetworkError } from "../errors/index.ts";
import type { Settings } from "./read-options.ts";
import { sanitizeError } from "./redact.ts";
import type { TransportRequest, TransportResponse } from "./transport.ts";

/** The operation and the access token of a request; the token is redacted in every error. */
interface Secretive {
  readonly operation: string;
  readonly token: string;
}

/**
 * Sends one request through the transport of a client.
 *
 * @throws {@link NetworkError} when the connection fails, {@link InvalidInputError} when the transport does not return a
 * response.
 */
export async function sendRequest(
  { transport, replaced }: Settings,
  request: TransportRequest,
  token: string,
): Promise<TransportResponse> {
  const { operation, url } = request;
  try {
    const response = await transport.send(request);
    return replaced === "transport" ? checkResponse(response, operation) : response;
  } catch (error) {
    throw asBillingError(error, { operation, token }, (lost) => placeholderHint(url, replaced, lost));
  }
}

function checkResponse(response: unknown, operation: string): TransportResponse {
  if (isTransportResponse(response)) return response;
  const problem = `send must return an object with status, headers and body; received ${describeType(response)}`;
  throw new InvalidInputError("transport", problem, { operation });
}

function isTransportResponse(value: unknown): value is TransportResponse {
  if (typeof value !== "object" || value === null) return false;
  const { status, headers, body } = value as Partial<Record<string, { get?: unknown } | null>>;
  return typeof status === "number" && typeof headers?.get === "function" && isBody(body);
}

function isBody(body: object | null | undefined): boolean {
  return body === null || (typeof body === "object" && (Symbol.asyncIterator in body || "getReader" in body));
}

/** Converts an error of a request into an error of the package. */
export function asBillingError(error: unknown, { operation, token }: Secretive, hint: Hint = () => ""): BillingError {
  try {
    if (isBillingError(error)) return error;
    return networkError(operation, sanitizeError(error, token), hint(error));
  } catch {
    return networkError(operation, new Error(`an unreadable value of type ${typeof error}`));
  }
}

/** Returns the end of the message about a lost request. */
type Hint = (lost: unknown) => string;

/** Explains why the host name of an environment was not found: it is a placeholder (G-BASE). */
function placeholderHint(url: string, replaced: Settings["replaced"], lost: unknown): string {
  const { hostname } = new URL(url);
  if (replaced === "fetch" || !hostname.endsWith(".example") || !isHostUnknown(innermost(lost))) return "";
  const mock = replaced === "transport" ? "`fetch: mock.fetch` instead of `transport`" : "`fetch: mock.fetch`";
  return `; ${hostname} is a placeholder: set \`baseUrl\`, or use the mock (${mock}, or \`npx @billing-service/sdk mock\`)`;
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
