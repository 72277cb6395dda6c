import { readRetryAfter } from "../client/retry.ts";
import { isApiError, isBillingError, isInvalidInputError, isNetworkError } from "../errors/index.ts";
import { formatPath } from "../values/describe.ts";
import type { EventProblem } from "./event.ts";

/** The reaction to a failed request. */
export type Verdict =
  /** Send the two halves separately. */
  | { readonly action: "split" }
  /** Give up the events at these indexes, and send the others. */
  | { readonly action: "reject"; readonly problems: ReadonlyMap<number, readonly EventProblem[]> }
  /** Send the same events again. `retryAfter` is in milliseconds. */
  | { readonly action: "retry"; readonly retryAfter: number | undefined }
  /** The failure probably lasts until you fix its cause, for example the access token. */
  | { readonly action: "permanent"; readonly retryAfter?: undefined };

/** Statuses below 500 after which the same request can succeed. */
const TRANSIENT = new Set([408, 425, 429]);

/** A response that cannot be read may come from a proxy. Sending the events again is safe in any case. */
const TRANSIENT_ERRORS = new Set([
  "NetworkError",
  "TimeoutError",
  "ResponseMismatchError",
  "ResponseTooLargeError",
  "AccessTokenError",
]);

/** Decides what to do after a request with a number of events has failed. */
export function classifyFailure(error: unknown, events: number): Verdict {
  if (isApiError(error)) return classifyStatus(error.status, error.rawBody, error.response.headers, events);
  // JSON can have numbers that JavaScript reads as Infinity, which cannot be sent.
  if (isInvalidInputError(error) && error.path.startsWith("body"))
    return splitOrReject(events, { path: "", message: error.message, type: "invalid" });
  const isPlaceholder = isNetworkError(error) && error.isPlaceholder === true;
  const isTransient = isBillingError(error) && TRANSIENT_ERRORS.has(error.name) && !isPlaceholder;
  return isTransient ? { action: "retry", retryAfter: undefined } : { action: "permanent" };
}

function classifyStatus(status: number, body: unknown, headers: Headers, events: number): Verdict {
  if (status === 413) return splitOrReject(events, TOO_LARGE);
  if (status === 422) return classifyInvalid(body, events);
  if (status < 500 && !TRANSIENT.has(status)) return { action: "permanent" };
  // `Retry-After: 0` leaves the delay to the client.
  return { action: "retry", retryAfter: (readRetryAfter(headers) ?? 0) * 1000 || undefined };
}

/** The message of a problem that the service did not explain. */
const NO_REASON = "the service rejected the event without a reason (422)";

const TOO_LARGE: EventProblem = { path: "", message: "exceeds the maximum request size (413)", type: "too_large" };

/** Smaller requests find out which of several events the problems are about. */
function splitOrReject(events: number, ...problems: EventProblem[]): Verdict {
  return events > 1 ? { action: "split" } : { action: "reject", problems: new Map([[0, problems]]) };
}

/** The first parts of locations that are not in the request body. */
const OUTSIDE_BODY: ReadonlySet<unknown> = new Set(["header", "query", "path", "cookie"]);

/** The maximum number of problems of one event, and of those that name none. A response may have any number. */
const MAX_PROBLEMS = 20;

/**
 * Reads the body of a 422 (specification, section 2.5), and ignores parts that do not have its shape. If it is only about
 * headers or parameters, which a proxy may change, no event is invalid.
 */
function classifyInvalid(body: unknown, events: number): Verdict {
  const byEvent = new Map<number, EventProblem[]>();
  const others: EventProblem[] = [];
  const items = itemsOf(body);
  if (items.length > 0 && items.every(({ loc: [root] }) => OUTSIDE_BODY.has(root))) return { action: "permanent" };
  for (const { loc, msg, type } of items) {
    const [root, field, third] = loc;
    const index = Number.isInteger(third) ? Number(third) : -1;
    const isNamed = root === "body" && field === "events" && index >= 0 && index < events;
    const problems = isNamed ? (byEvent.get(index) ?? []) : others;
    if (isNamed) byEvent.set(index, problems);
    if (problems.length >= MAX_PROBLEMS) continue;
    problems.push({
      path: formatPath(loc.slice(isNamed ? 3 : 0)),
      message: typeof msg === "string" ? msg : NO_REASON,
      type: typeof type === "string" ? type : "invalid",
    });
  }
  if (byEvent.size > 0) return { action: "reject", problems: byEvent };
  return splitOrReject(events, ...(others.length > 0 ? others : [{ path: "", message: NO_REASON, type: "invalid" }]));
}

interface Item {
  readonly loc: readonly (string | number)[];
  readonly msg?: unknown;
  readonly type?: unknown;
}

function itemsOf(body: unknown): Item[] {
  const { detail } = (body ?? {}) as { readonly detail?: unknown };
  return Array.isArray(detail) ? detail.filter((item: Partial<Item> | null) => Array.isArray(item?.loc)) : [];
}
