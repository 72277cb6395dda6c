import { readRetryAfter } from "../client/retry.ts";
import {
  type ApiError,
  isApiError,
  isBillingError,
  isInvalidInputError,
  isNetworkError,
  isResponseMismatchError,
  isVersionMismatchError,
} from "../errors/index.ts";
import { formatPath } from "../values/describe.ts";
import type { EventProblem } from "./event.ts";

/** The reaction to a failed request. */
export type Verdict =
  /** The service responded with a 2xx that the client did not accept: the events are stored. */
  | { readonly action: "stored"; readonly data: unknown }
  /** Send the two halves separately. */
  | { readonly action: "split" }
  /** Give up the events at these indexes, and send the others. */
  | { readonly action: "reject"; readonly problems: ReadonlyMap<number, readonly EventProblem[]> }
  /** Send the same events again. `retryAfter` is in milliseconds. */
  | { readonly action: "retry"; readonly retryAfter: number | undefined }
  /** The failure probably lasts until you fix its cause, for example the access token. */
  | { readonly action: "permanent"; readonly retryAfter?: undefined };

const RETRY = { action: "retry", retryAfter: undefined } as const;
const PERMANENT = { action: "permanent" } as const;

/** Statuses below 500 after which the same request can succeed. */
const TRANSIENT = new Set([408, 425, 429]);

/** Sending the events again is safe in any case. */
const TRANSIENT_ERRORS = new Set(["NetworkError", "TimeoutError", "ResponseTooLargeError", "AccessTokenError"]);

/**
 * Decides what to do after a request with a number of events, and of bytes, has failed. Only the service may give up events or
 * say that they are stored: a response without `Service-Version` may come from a gateway.
 */
export function classifyFailure(error: unknown, events: number, bytes: number): Verdict {
  if (isApiError(error)) return classifyStatus(error, events, bytes);
  if (isResponseMismatchError(error)) {
    const isStored = isSuccessful(error.status) && error.version !== undefined && !isPage(error.data);
    return isStored ? { action: "stored", data: error.data } : RETRY;
  }
  if (isVersionMismatchError(error)) {
    if (isSuccessful(error.status)) return { action: "stored", data: undefined };
    return (error.status ?? 0) >= 500 ? RETRY : PERMANENT;
  }
  // JSON can have numbers that JavaScript reads as Infinity, which cannot be sent.
  if (isInvalidInputError(error) && error.path.startsWith("body"))
    return splitOrReject(events, { path: "", message: error.message, type: "invalid" });
  const isPlaceholder = isNetworkError(error) && error.isPlaceholder === true;
  return isBillingError(error) && TRANSIENT_ERRORS.has(error.name) && !isPlaceholder ? RETRY : PERMANENT;
}

function isSuccessful(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status <= 299;
}

/** Whether a body is text instead of JSON, for example the page of a proxy. */
export function isPage(body: unknown): boolean {
  return typeof body === "string" && body.trim() !== "";
}

/** The size up to which no server rejects a body as too large, in bytes: its headers may be as long. */
const SMALL = 8_000;

function classifyStatus(error: ApiError<number, unknown>, events: number, bytes: number): Verdict {
  const { status, version, rawBody, response } = error;
  const isFromService = version !== undefined;
  if (status === 413 && isFromService) return splitOrReject(events, TOO_LARGE);
  // The limit of a gateway may be lower.
  if (status === 413 && events > 1 && bytes > SMALL) return { action: "split" };
  if (status === 422 && isFromService) return rawBody === undefined ? RETRY : classifyInvalid(rawBody, events);
  if (status < 500 && !TRANSIENT.has(status)) return PERMANENT;
  // `Retry-After: 0` leaves the delay to the client.
  return { action: "retry", retryAfter: (readRetryAfter(response.headers) ?? 0) * 1000 || undefined };
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

/**
 * Reads the body of a 422 (specification, section 2.5), and ignores parts that do not have its shape. If none has, or if it is
 * only about headers or parameters, which a proxy may change, no event is invalid.
 */
function classifyInvalid(body: unknown, events: number): Verdict {
  const byEvent = new Map<number, EventProblem[]>();
  const others: EventProblem[] = [];
  const items = itemsOf(body);
  if (items.every(({ loc: [root] }) => OUTSIDE_BODY.has(root))) return PERMANENT;
  for (const { loc, msg, type } of items) {
    const [root, field, third] = loc;
    const index = Number.isInteger(third) ? Number(third) : -1;
    const isNamed = root === "body" && field === "events" && index >= 0 && index < events;
    const problems = isNamed ? (byEvent.get(index) ?? []) : others;
    if (isNamed) byEvent.set(index, problems);
    problems.push({
      path: formatPath(isNamed ? fieldsOf(loc) : loc),
      message: typeof msg === "string" ? msg : NO_REASON,
      type: typeof type === "string" ? type : "invalid",
    });
  }
  if (byEvent.size > 0) return { action: "reject", problems: byEvent };
  return splitOrReject(events, ...others);
}

/** Leaves out the place of an event, and the name of its variant: no field begins with a capital. */
function fieldsOf(loc: Item["loc"]): Item["loc"] {
  return loc.slice(/^[A-Z]/.test(String(loc[3])) ? 4 : 3);
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
