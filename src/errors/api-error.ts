import { BillingError, isBillingError } from "./billing-error.ts";
import { listFirst } from "./list-first.ts";

/** The most characters of a message that come from a body; `rawBody` holds all of them. */
const LONGEST_DETAIL = 1_000;

/** The facts of an answer that reports a failure. */
export interface ApiErrorOptions<Status extends number, Body> {
  readonly operation: string;
  readonly status: Status;
  readonly body: Body | undefined;
  readonly rawBody: unknown;
  readonly response: Response;
  readonly version: string | undefined;
  /** The service's identifier of the request. */
  readonly requestId?: string | undefined;
  /** What the message says after the status, where the body does not say it. */
  readonly detail?: string | undefined;
  /** Why the body could not be read. */
  readonly cause?: unknown;
}

/** The names of the errors that an answer of the service makes. */
export type ApiErrorName = "ApiError" | "RateLimitError";

/** The service answered with a failure. `status` says which, `body` holds what the operation declares for it. */
export class ApiError<
  Status extends number = number,
  Body = unknown,
  Name extends ApiErrorName = "ApiError",
> extends BillingError {
  override readonly name: Name = "ApiError" as Name;
  /** The HTTP status; 0 where a browser hides that of a redirect. */
  readonly status: Status;
  /** The service's own name of the error, for example `ResourceNotFound`; undefined when the body has none. */
  readonly code: string | undefined;
  /** The body as the operation declares it for this status; undefined when the answer does not fit the declaration. */
  readonly body: Body | undefined;
  /**
   * The body as it came: parsed JSON, else text; undefined when it could not be read, and `cause` then says why. It is
   * printed only where `body` is undefined, since the two are otherwise the same.
   */
  declare readonly rawBody: unknown;
  /** The version that processed the request; undefined when the answer names none. */
  readonly version: string | undefined;
  /** The service's identifier of the request, where it sends one. */
  readonly requestId: string | undefined;
  /** The HTTP response as it came; its body has been read. It is not printed, since its headers may repeat a credential. */
  declare readonly response: Response;

  constructor(options: ApiErrorOptions<Status, Body>) {
    super(describe(options), { operation: options.operation, cause: options.cause });
    this.status = options.status;
    this.code = codeOf(options.rawBody);
    this.body = options.body;
    this.version = options.version;
    this.requestId = options.requestId;
    Object.defineProperty(this, "rawBody", { value: options.rawBody, enumerable: options.body === undefined });
    Object.defineProperty(this, "response", { value: options.response, enumerable: false });
  }

  override toJSON(): Record<string, unknown> {
    const { status, code, version, requestId } = this;
    return { ...super.toJSON(), status, code, version, requestId };
  }
}

/**
 * The guard of {@link ApiError} that knows the bodies of one version: with a status it also tells the type of `body`.
 *
 * @typeParam Bodies The bodies that the operations of the version declare, by status.
 */
export interface ApiErrorGuard<Bodies extends object> {
  <Status extends number>(
    value: unknown,
    status: Status,
  ): value is ApiError<Status, Status extends keyof Bodies ? Bodies[Status] : undefined, ApiErrorName>;
  (value: unknown): value is ApiError<number, unknown, ApiErrorName>;
}

/**
 * Tells whether a value is an {@link ApiError}, from any copy of the package.
 *
 * @param status The HTTP status that it must have; any when omitted.
 */
export function isApiError<Status extends number>(
  value: unknown,
  status: Status,
): value is ApiError<Status, unknown, ApiErrorName>;
export function isApiError(value: unknown): value is ApiError<number, unknown, ApiErrorName>;
export function isApiError(value: unknown, ...[status, ...more]: readonly unknown[]): boolean {
  if (!isBillingError(value) || (value.name !== "ApiError" && value.name !== "RateLimitError")) return false;
  // `filter` and its like hand over an index, which is no status, and then the array.
  return status === undefined || more.length > 0 || (value as ApiError).status === status;
}

function describe({
  operation,
  status,
  rawBody,
  detail = detailOf(rawBody),
}: ApiErrorOptions<number, unknown>): string {
  return detail === undefined ? `${operation}: ${status}` : `${operation}: ${status} ${shorten(detail)}`;
}

function codeOf(body: unknown): string | undefined {
  const code = field(body, "error");
  return typeof code === "string" ? code : undefined;
}

function detailOf(body: unknown): string | undefined {
  const detail = field(body, "detail") ?? field(body, "error_description");
  if (typeof detail === "string") return detail;
  if (Array.isArray(detail)) return problems(detail);
  return codeOf(body);
}

/** Names the first three bad places of a 422 and counts the rest. */
function problems(detail: unknown[]): string {
  return listFirst(detail, (item) => {
    const loc = field(item, "loc");
    return `${Array.isArray(loc) ? loc.map(written).join(".") : "?"}: ${written(field(item, "msg"))}`;
  });
}

/** A service can send an object where it promised a string, and `String` fails for `{"toString": 1}`. */
function written(value: unknown): string {
  if (typeof value === "string") return shorten(value);
  return typeof value === "number" ? String(value) : "?";
}

function shorten(text: string): string {
  return text.length <= LONGEST_DETAIL ? text : `${text.slice(0, LONGEST_DETAIL)}…`;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
