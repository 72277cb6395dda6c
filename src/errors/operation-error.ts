import type { ApiError, RateLimitError } from "./api-error.ts";
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

/**
 * The error statuses that any operation may return, except 429, which is a {@link RateLimitError}. They include redirects,
 * because the client does not follow them; a browser reports a redirect as 0.
 */
export type OtherStatus =
  | 0
  | 300
  | 301
  | 302
  | 303
  | 304
  | 305
  | 307
  | 308
  | 400
  | 401
  | 402
  | 403
  | 404
  | 405
  | 406
  | 407
  | 408
  | 409
  | 410
  | 411
  | 412
  | 413
  | 414
  | 415
  | 416
  | 417
  | 421
  | 422
  | 423
  | 424
  | 425
  | 426
  | 428
  | 431
  | 451
  | 500
  | 501
  | 502
  | 503
  | 504
  | 505
  | 506
  | 507
  | 508
  | 510
  | 511;

/** The error statuses that an operation may return but does not declare. */
export type UndeclaredStatus<Failures extends object> = Exclude<OtherStatus, keyof Failures>;

/** An error response with a status that the operation does not declare. */
export interface UndeclaredApiError<Failures extends object> extends ApiError<UndeclaredStatus<Failures>, undefined> {}

/** The errors of a call, distinguished by `name` and, for an {@link ApiError}, by `status`. */
export type OperationError<Failures extends object> =
  | { [Status in keyof Failures & number]: ApiError<Status, Failures[Status]> }[keyof Failures & number]
  | UndeclaredApiError<Failures>
  | RateLimitError
  | AccessTokenError
  | NetworkError
  | TimeoutError
  | AbortedError
  | ResponseMismatchError
  | ResponseTooLargeError
  | VersionMismatchError
  | InvalidInputError;
