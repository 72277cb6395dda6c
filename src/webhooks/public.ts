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
export type { EventToSign, SignedWebhook, SignWebhookOptions } from "./sign.ts";
export * from "./to-node-listener.ts";
export type * from "./types.ts";
