import { type BillingError, isApiError, isNetworkError, isRateLimitError, isTimeoutError } from "../errors/index.ts";

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

const SECONDS = /^\d+(?:\.\d+)?$/;
/** An HTTP date in one of the three forms of RFC 9110, section 5.6.7. `Date.parse` alone would take `5 minutes` for one. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/;

/** Reads `Retry-After` (RFC 9110, section 10.2.3), in seconds; undefined when there is none that can be read. */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (SECONDS.test(value)) return Number(value);
  if (!HTTP_DATE.test(value)) return undefined;
  const seconds = Math.ceil((parseDate(value) - sentAt(headers)) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** The service's own clock where it sends one, so that a clock that is wrong on either side does no harm. */
function sentAt(headers: Headers): number {
  const date = parseDate(headers.get("date") ?? "");
  return Number.isNaN(date) ? Date.now() : date;
}

/** The asctime form names no zone and means UTC. */
function parseDate(value: string): number {
  return Date.parse(value.endsWith("GMT") ? value : `${value} GMT`);
}
