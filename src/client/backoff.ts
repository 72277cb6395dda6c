import { type BillingError, isApiError, isNetworkError, isRateLimitError, isTimeoutError } from "../errors/index.ts";
import { readRetryAfter } from "./retry-after.ts";

/** The longest wait before the first retry, in milliseconds; it doubles with every attempt. */
const BASE = 500;
/** The longest wait that the client chooses. */
const CAP = 8_000;
/** The longest wait that the service can ask for; a call that would have to wait longer fails at once. */
const RETRY_AFTER_CAP = 60_000;

const STATUSES = new Set([408, 429, 500, 502, 503, 504]);

/** How long to wait before trying again, in milliseconds; undefined when the call is not to be tried again. */
export function retryDelay(error: BillingError, attempt: number, repeatable: boolean): number | undefined {
  if (!isRetryable(error, repeatable)) return undefined;
  const asked = isApiError(error) ? readRetryAfter(error.response.headers) : undefined;
  if (asked === undefined) return Math.random() * Math.min(CAP, BASE * 2 ** (attempt - 1));
  return asked * 1000 > RETRY_AFTER_CAP ? undefined : asked * 1000;
}

/** After a 429 nothing was done, so that every operation may be tried again. */
function isRetryable(error: BillingError, repeatable: boolean): boolean {
  if (isRateLimitError(error)) return true;
  if (!repeatable) return false;
  return isNetworkError(error) || isTimeoutError(error) || (isApiError(error) && STATUSES.has(error.status));
}
