import { type BillingError, isApiError, isNetworkError, isRateLimitError, isTimeoutError } from "../errors/index.ts";
import type { TransportHeaders } from "./options.ts";

/** The maximum delay before the first retry, in milliseconds. It doubles with every attempt. */
const BASE = 500;
/** The maximum delay that the client chooses, in milliseconds. */
const CAP = 8_000;
/** The maximum `Retry-After`, in milliseconds. If the service requests more, the call fails at once. */
const RETRY_AFTER_CAP = 60_000;

const STATUSES = [408, 429, 500, 502, 503, 504];

/**
 * Returns the delay before the next attempt, in milliseconds.
 *
 * @param idempotent True if the request is idempotent; otherwise the reason why not.
 * @returns The reason why a transient failure is not retried, or undefined for a permanent failure.
 */
export function decideRetry(
  error: BillingError,
  attempt: number,
  idempotent: true | string,
): number | string | undefined {
  if (!isTransient(error)) return undefined;
  // A 429 means that nothing was done, so every operation may be retried.
  if (idempotent !== true && !isRateLimitError(error)) return idempotent;
  const asked = isApiError(error) ? readRetryAfter(error.response.headers) : undefined;
  if (asked === undefined) return Math.random() * Math.min(CAP, BASE * 2 ** (attempt - 1));
  if (asked * 1000 <= RETRY_AFTER_CAP) return asked * 1000;
  return `Retry-After of ${asked} seconds exceeds ${RETRY_AFTER_CAP / 1000} seconds`;
}

function isTransient(error: BillingError): boolean {
  return isNetworkError(error) || isTimeoutError(error) || (isApiError(error) && STATUSES.includes(error.status));
}

/** Matches an HTTP date in one of the three forms of RFC 9110, section 5.6.7. `Date.parse` would also accept `5 minutes`. */
const HTTP_DATE = /^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/;

/** Parses an HTTP date. The form without a time zone means UTC. */
function parseDate(value: string): number {
  return Date.parse(value.endsWith("GMT") ? value : `${value} GMT`);
}

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3) in seconds. A date is compared with the service's clock, if it sends one, so
 * that a wrong clock on either side does not matter. Returns undefined if it is missing or invalid.
 */
export function readRetryAfter(headers: TransportHeaders): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value);
  const now = parseDate(headers.get("date") ?? "") || Date.now();
  const seconds = HTTP_DATE.test(value) ? Math.ceil((parseDate(value) - now) / 1000) : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
