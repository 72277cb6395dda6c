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
  SeenStore,
  VerifyOptions,
  WebhookErrorContext,
  WebhookRequest,
  WebhookSecret,
} from "./options.ts";
export type { EventToSign, SignatureScheme, SignedWebhook, SignWebhookOptions } from "./sign.ts";
export {
  type FastifyReply,
  type NodeListener,
  type NodeRequest,
  type NodeResponse,
  toNodeListener,
} from "./to-node-listener.ts";
export type {
  DataOf,
  EventOf,
  KnownWebhookEvent,
  SchemasOf,
  UnknownWebhookEvent,
  UnknownWebhookEventType,
  WebhookBody,
  WebhookDelivery,
  WebhookHeaders,
} from "./webhook-event.ts";
