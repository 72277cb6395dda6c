export {
  ApiError,
  type ApiErrorGuard,
  type ApiErrorName,
  isApiError,
  isRateLimitError,
  RateLimitError,
} from "./api-error.ts";
export { BillingError, isBillingError } from "./billing-error.ts";
export {
  AbortedError,
  AccessTokenError,
  InvalidInputError,
  isAbortedError,
  isAccessTokenError,
  isInvalidInputError,
  isNetworkError,
  isResponseMismatchError,
  isResponseTooLargeError,
  isTimeoutError,
  isVersionMismatchError,
  type Mismatch,
  NetworkError,
  ResponseMismatchError,
  ResponseTooLargeError,
  TimeoutError,
  VersionMismatchError,
} from "./call-errors.ts";
export type { OperationError, UndeclaredApiError } from "./operation-error.ts";
export {
  isWebhookVerificationError,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from "./webhook-verification-error.ts";
