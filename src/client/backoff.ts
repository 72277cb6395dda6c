import { type BillingError, isApiError, isNetworkError, isRateLimitError, isTimeoutError } from "../errors/index.ts";
import { readRetryAfter } from "./retry-after.ts";

/** The longest wait before the first retry, in milliseconds; it doubles with every attempt. */
const BASE = 500;
/** The longest wait that the client chooses. */
const CAP = 8_000;
/** The longest wait that the service can ask for; a call that would have to wait longer fails at once. */
const RETRY_AFTER_CAP = 60_000;

const STATUSES = new Set([408, 429, 500, 502, 503, 504]);

/**
 * How long to wait before trying again, in milliseconds; or why the call is not tried again, in words, where the failure
 * may pass; undefined where it will not.
 *
 * @param repeatable True, or why sending the request twice could do more than sending it once.
 */
export function retryDelay(
  error: BillingError,
  attempt: number,
  repeatable: true | string,
): number | string | undefined {
  if (!mayPass(error)) return undefined;
  // After a 429 nothing was done, so that every operation may be tried again.
  if (repeatable !== true && !isRateLimitError(error)) return repeatable;
  const asked = isApiError(error) ? readRetryAfter(error.response.headers) : undefined;
  if (asked === undefined) return Math.random() * Math.min(CAP, BASE * 2 ** (attempt - 1));
  if (asked * 1000 <= RETRY_AFTER_CAP) return asked * 1000;
  return `the service asks to wait ${asked} seconds, and the client waits at most ${RETRY_AFTER_CAP / 1000}`;
}

function mayPass(error: BillingError): boolean {
  return isNetworkError(error) || isTimeoutError(error) || (isApiError(error) && STATUSES.has(error.status));
}
