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
