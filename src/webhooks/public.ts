export {
  BillingError,
  InvalidInputError,
  isBillingError,
  isInvalidInputError,
  isVersionMismatchError,
  isWebhookVerificationError,
  type Mismatch,
  VersionMismatchError,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from "../errors/index.ts";
export type { EventToSign, SignedWebhook, SignWebhookOptions } from "./sign-for-version.ts";
export type { SignatureScheme } from "./signing-key.ts";
export type { StandardIssue, StandardResult, StandardSchema } from "./standard-schema.ts";
export type { VerifyOptions, WebhookSecret } from "./verify-options.ts";
export type { WebhookBody, WebhookDelivery, WebhookHeaders } from "./webhook-delivery.ts";
export type {
  DataOf,
  EventOf,
  KnownWebhookEvent,
  SchemasOf,
  UnknownWebhookEvent,
  UnknownWebhookEventType,
} from "./webhook-event.ts";
