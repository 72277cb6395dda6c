import type { HTTPError } from "ky";
import { type BillingError, isApiError, isNetworkError, isRateLimitError, isTimeoutError } from "../errors/index.ts";
import { ownField } from "../values/describe.ts";

/** The maximum `Retry-After`, in seconds. If the service requests more, the call fails at once. */
const LONGEST_RETRY_AFTER = 60;

/**
 * The statuses after which ky retries: those of RFC 9110 and RFC 6585, of Cloudflare and of nginx. Not all numbers, because ky
 * copies the list several times per call; other 5xx are retried by `isTransient`.
 */
const STATUSES = [408, 425, 429, 500, 502, 503, 504, 507, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530, 599];

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

/** Whether the same request can succeed later: not after a 501 or 505, which say that the server does not support it. */
export function isTransient(error: BillingError): boolean {
  if (!isApiError(error)) return isNetworkError(error) || isTimeoutError(error);
  const { status } = error;
  return STATUSES.includes(status) || (status >= 500 && status !== 501 && status !== 505);
}

/** Whether ky waits before the next attempt, for as long as `Retry-After` says. */
export function isLeftToKy(raw: Error): boolean {
  return ownField(raw, "name") === "HTTPError" && STATUSES.includes((raw as HTTPError).response.status);
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
