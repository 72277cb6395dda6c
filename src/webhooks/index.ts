export { handlerForVersion } from "./handler.ts";
export type { DeliveryHandler, HandlerOptions, VerifyOptions } from "./options.ts";
export {
  type EventToSign,
  type SignatureScheme,
  type SignedWebhook,
  type SignWebhookOptions,
  sign,
  signedHeaders,
  signForVersion,
  signingKey,
  WEBHOOK_HEADERS,
  type WebhookVersion,
} from "./sign.ts";
export { verifyForVersion } from "./verify.ts";
export type { EventOf, SchemasOf, WebhookDelivery } from "./webhook-event.ts";
