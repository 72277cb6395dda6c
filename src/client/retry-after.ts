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
