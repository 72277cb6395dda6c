import { listFirst, ownField } from "../values/describe.ts";
import { BillingError, type BillingErrorOptions, type ErrorGuard, guardOf, isBillingError } from "./billing-error.ts";
import type {
  AbortedError,
  AccessTokenError,
  InvalidInputError,
  NetworkError,
  ResponseMismatchError,
  ResponseTooLargeError,
  TimeoutError,
  VersionMismatchError,
} from "./call-errors.ts";

/** How deep an error is printed, so that the locations of a 422 are shown. */
const PRINTED_DEPTH = 4;

/** The maximum number of characters of a message that come from the body. */
const LONGEST_DETAIL = 1_000;

/** Options of {@link ApiError}: the facts of an error response. */
interface ApiErrorOptions<Status extends number, Body>
  extends BillingErrorOptions,
    Pick<ApiError<Status, Body>, "status" | "body" | "rawBody" | "response" | "version" | "fromService"> {
  /** The text after the status in the message. Defaults to the details in the body. */
  readonly detail?: string | undefined;
  /** A text to add to the message in parentheses. */
  readonly note?: string | undefined;
}

/** The name of the error for a response with a status: a 429 is a {@link RateLimitError}. */
export type ApiErrorName<Status extends number = number> = number extends Status
  ? "ApiError" | "RateLimitError"
  : Status extends 429
    ? "RateLimitError"
    : "ApiError";

/**
 * The service, or something in front of it, responded with an error status. `body` has the type that the operation declares for
 * `status`.
 *
 * @remarks If `fromService` is false, a proxy, a gateway or a server at a wrong `baseUrl` responded. Otherwise, check `status`,
 * `code` and `body`. For a 401, renew the token; for a 403, use a token with the scope that the message names; for a 422, fix
 * the fields in `body.detail`; for a 5xx, try again later.
 */
export class ApiError<Status extends number = number, Body = unknown> extends BillingError {
  override readonly name: ApiErrorName<Status> = "ApiError" as ApiErrorName<Status>;
  /** The HTTP status; 0 for a redirect in a browser, which hides it. */
  readonly status: Status;
  /** The service's error code, for example `ResourceNotFound`; undefined if the body has none. */
  readonly code: string | undefined;
  /** The body with the type that the operation declares for this status; undefined if the response has another shape. */
  readonly body: Body | undefined;
  /**
   * The body as received: parsed JSON, otherwise text; undefined if it could not be read (see `cause`). Printing the error
   * prints it only if `body` is undefined.
   */
  declare readonly rawBody: unknown;
  /** The version that processed the request; undefined if the response names none. */
  readonly version: string | undefined;
  /**
   * Whether the service sent the response. False if it has no `Service-Version` header and its body is not JSON: such a
   * response says nothing about what the service did.
   */
  readonly fromService: boolean;
  readonly #response: Response;

  constructor(options: ApiErrorOptions<Status, Body>) {
    super(describe(options), options);
    this.status = options.status;
    this.code = codeOf(options.rawBody);
    this.body = options.body;
    this.version = options.version;
    this.fromService = options.fromService;
    // A method with a computed name would be in every bundle.
    Object.defineProperty(this, Symbol.for("nodejs.util.inspect.custom"), { value: print, enumerable: false });
    Object.defineProperty(this, "rawBody", { value: options.rawBody, enumerable: options.body === undefined });
    this.#response = options.response;
  }

  /** The HTTP response. Its body has been read. It is not printed, because its headers may contain a credential. */
  get response(): Response {
    return this.#response;
  }
}

type Inspect = (value: unknown, options: object) => string;

/** Prints an error so deep that each problem of a 422 is shown, in Node.js, Bun and Deno. */
function print(this: ApiError, depth: number, options: object, inspect: Inspect): string {
  if (depth < 0) return `[${this.name}]`;
  return inspect(this, { ...options, depth: Math.max(depth, PRINTED_DEPTH), customInspect: false });
}

/**
 * The type guard of {@link ApiError} for one version. With a status, it also narrows the type of `body`.
 *
 * @typeParam Bodies The error bodies that the operations of the version declare, by status.
 */
export interface ApiErrorGuard<Bodies extends object> {
  <Status extends number>(
    value: unknown,
    status: Status,
  ): value is ApiError<Status, Status extends keyof Bodies ? Bodies[Status] : undefined>;
  (value: unknown): value is ApiError<number, unknown>;
}

/**
 * Returns whether a value is an {@link ApiError} thrown by any installed copy of the package.
 *
 * @param status The required HTTP status. Defaults to any.
 */
export function isApiError<Status extends number>(value: unknown, status: Status): value is ApiError<Status, unknown>;
export function isApiError(value: unknown): value is ApiError<number, unknown>;
export function isApiError(value: unknown, ...[status, ...more]: readonly unknown[]): boolean {
  if (!isBillingError(value) || (value.name !== "ApiError" && value.name !== "RateLimitError")) return false;
  // `filter` passes an index, which is not a status, and then the array.
  return status === undefined || more.length > 0 || (value as ApiError).status === status;
}

function describe({
  operation,
  status,
  rawBody,
  detail = detailOf(rawBody),
  note,
}: ApiErrorOptions<number, unknown>): string {
  // A browser hides the status of a redirect.
  return [`${operation}:`, status, detail && shorten(detail), note && `(${note})`].filter(Boolean).join(" ");
}

function codeOf(body: unknown): string | undefined {
  const code = ownField(body, "error");
  return typeof code === "string" ? code : undefined;
}

function detailOf(body: unknown): string | undefined {
  const detail = ownField(body, "detail") ?? ownField(body, "error_description");
  if (typeof detail === "string") return detail;
  if (Array.isArray(detail)) return problems(detail);
  return codeOf(body);
}

/** One problem of a 422. In a list of values of several variants, `variant` names the one that the problem is about. */
interface Located {
  readonly value: string;
  readonly variant: string;
  readonly text: string;
}

/** Describes the first three problems of a 422 and counts the rest. */
function problems(detail: unknown[]): string {
  return listFirst(ofLikelyVariants(detail.map(locate)), ({ text }) => text);
}

function locate(item: unknown): Located {
  const loc = ownField(item, "loc");
  const parts = Array.isArray(loc) ? loc : ["?"];
  const pathTo = (end: number) => parts.slice(0, end).map(asText).join(".");
  // The name of a variant follows an index: no field begins with a capital.
  const at = parts.findIndex((part, index) => typeof parts[index - 1] === "number" && /^[A-Z]/.test(asText(part)));
  const path = parts.filter((_, index) => index !== at).map(asText);
  const text = `${path.join(".")}: ${asText(ownField(item, "msg"))}`;
  return { value: pathTo(at < 0 ? parts.length : at), variant: pathTo(at < 0 ? parts.length : at + 1), text };
}

/** Leaves out the problems of variants that were probably not meant: those with more problems than another of the same value. */
function ofLikelyVariants(all: readonly Located[]): readonly Located[] {
  const counts = new Map<string, number>();
  for (const { variant } of all) counts.set(variant, (counts.get(variant) ?? 0) + 1);
  const countOf = ({ variant }: Located): number => counts.get(variant) ?? 0;
  const fewest = new Map<string, number>();
  for (const each of all) fewest.set(each.value, Math.min(countOf(each), fewest.get(each.value) ?? all.length));
  return all.filter((each) => countOf(each) === fewest.get(each.value));
}

/** Formats a value that may not be a string, contrary to the contract: `String` throws for `{"toString": 1}`. */
function asText(value: unknown): string {
  if (typeof value === "string") return shorten(value);
  return typeof value === "number" ? String(value) : "?";
}

function shorten(text: string): string {
  return text.length <= LONGEST_DETAIL ? text : `${text.slice(0, LONGEST_DETAIL)}…`;
}

/**
 * The service responded with 429 (too many requests), and the client does not retry any further.
 *
 * @remarks Wait `retryAfter` seconds, if it is set, and send fewer requests: put events into batches.
 */
export class RateLimitError extends ApiError<429, undefined> {
  override readonly name = "RateLimitError";
  /** The value of `Retry-After`, in seconds; undefined if it is missing. */
  readonly retryAfter: number | undefined;

  constructor(options: ApiErrorOptions<429, undefined> & { readonly retryAfter: number | undefined }) {
    super(options);
    this.retryAfter = options.retryAfter;
  }
}

/** Returns whether a value is a {@link RateLimitError} thrown by any installed copy of the package. */
export const isRateLimitError: ErrorGuard<RateLimitError> = /* @__PURE__ */ guardOf("RateLimitError");

/**
 * An error response with a status that the operation does not declare: any of a proxy, and redirects, because the client does
 * not follow them; a browser reports a redirect as 0.
 */
export interface UndeclaredApiError extends ApiError<number, undefined> {
  readonly name: "ApiError";
}

/** The errors of a call, distinguished by `name` and, for an {@link ApiError}, by `status`. */
export type OperationError<Failures extends object> =
  | { [Status in keyof Failures & number]: ApiError<Status, Failures[Status]> }[keyof Failures & number]
  | UndeclaredApiError
  | RateLimitError
  | AccessTokenError
  | NetworkError
  | TimeoutError
  | AbortedError
  | ResponseMismatchError
  | ResponseTooLargeError
  | VersionMismatchError
  | InvalidInputError;
