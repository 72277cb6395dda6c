import { type BillingError, isApiError, isNetworkError, isRateLimitError, isTimeoutError } from "../errors/index.ts";

/** The maximum `Retry-After`, in seconds. If the service requests more, the call fails at once. */
const LONGEST_RETRY_AFTER = 60;

/** The statuses after which the same request can succeed: every 5xx too, except those for what the server never does. */
const STATUSES = [408, 425, 429, ...Array.from({ length: 100 }, (_, index) => 500 + index)].filter(
  (status) => status !== 501 && status !== 505,
);

/** The options of ky that are the same for each call. */
export const RETRIED = {
  statusCodes: STATUSES,
  afterStatusCodes: STATUSES,
  maxRetryAfter: LONGEST_RETRY_AFTER * 1000,
  jitter: true,
} as const;

/** Returns the longest delay before a retry, in milliseconds. ky chooses a random part of it. */
export function delayBefore(retry: number): number {
  return Math.min(8_000, 500 * 2 ** (retry - 1));
}

/** Whether the same request can succeed later. */
export function isTransient(error: BillingError): boolean {
  return isNetworkError(error) || isTimeoutError(error) || (isApiError(error) && STATUSES.includes(error.status));
}

/**
 * Returns why a transient failure is not retried; undefined if it is.
 *
 * @param idempotent True if the request is idempotent; otherwise the reason why not.
 */
export function whyNotRetried(error: BillingError, idempotent: true | string): string | undefined {
  // A 429 means that nothing was done, so every operation may be retried.
  if (idempotent !== true && !isRateLimitError(error)) return idempotent;
  const after = isApiError(error) ? (readRetryAfter(error.response.headers) ?? 0) : 0;
  return after > LONGEST_RETRY_AFTER
    ? `Retry-After of ${after} seconds exceeds ${LONGEST_RETRY_AFTER} seconds`
    : undefined;
}

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3) in seconds, from a number or the usual form of a date. Returns undefined if it
 * is missing or has another form.
 */
export function readRetryAfter(headers: Pick<Headers, "get">): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value);
  const seconds = /:\d\d GMT$/.test(value) ? Math.ceil((Date.parse(value) - Date.now()) / 1000) : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
