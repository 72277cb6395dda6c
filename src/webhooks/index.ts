export { SIGNATURE_LABEL, type SignedParts, type SignOptions, sign, signedText } from "./sign.ts";
export { type EventToSign, type SignedWebhook, type SignWebhookOptions, signForVersion } from "./sign-for-version.ts";
export { SECRET_PREFIX, type SignatureScheme, signingKey } from "./signing-key.ts";
export { verifyForVersion } from "./verify-for-version.ts";
export type { VerifyOptions } from "./verify-options.ts";
export type { WebhookDelivery } from "./webhook-delivery.ts";
export type { EventOf, SchemasOf } from "./webhook-event.ts";
export { WEBHOOK_HEADERS } from "./webhook-headers.ts";
export type { WebhookVersion } from "./webhook-version.ts";
