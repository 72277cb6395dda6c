export type { StandardIssue, StandardResult, StandardSchema } from "../contract/index.ts";
export {
  InvalidInputError,
  isInvalidInputError,
  isVersionMismatchError,
  isWebhookVerificationError,
  type Mismatch,
  VersionMismatchError,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from "../errors/index.ts";
export type {
  DeliveryHandler,
  FunctionsOf,
  HandlerOptions,
  WebhookErrorContext,
  WebhookRequest,
} from "./handler-options.ts";
export type { SeenStore } from "./seen-store.ts";
export type { EventToSign, SignedWebhook, SignWebhookOptions } from "./sign-for-version.ts";
export type { SignatureScheme } from "./signing-key.ts";
export {
  type FastifyReply,
  type NodeListener,
  type NodeRequest,
  type NodeResponse,
  toNodeListener,
} from "./to-node-listener.ts";
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
