export { AccessTokenError, isAccessTokenError } from "./access-token-error.ts";
export { ApiError, type ApiErrorGuard, type ApiErrorName, isApiError } from "./api-error.ts";
export { BillingError, isBillingError } from "./billing-error.ts";
export { InvalidInputError, isInvalidInputError } from "./invalid-input-error.ts";
export {
  isResponseMismatchError,
  isVersionMismatchError,
  type Mismatch,
  ResponseMismatchError,
  VersionMismatchError,
} from "./mismatch-error.ts";
export type { OperationError, OtherStatus, UndeclaredApiError, UndeclaredStatus } from "./operation-error.ts";
export { isRateLimitError, RateLimitError } from "./rate-limit-error.ts";
export { isResponseTooLargeError, ResponseTooLargeError } from "./response-too-large-error.ts";
export {
  AbortedError,
  isAbortedError,
  isNetworkError,
  isTimeoutError,
  NetworkError,
  TimeoutError,
} from "./transport-error.ts";
export {
  isWebhookVerificationError,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from "./webhook-verification-error.ts";
