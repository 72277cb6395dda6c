import { describeType } from "../errors/describe-value.ts";
import { WebhookVerificationError, type WebhookVerificationReason } from "../errors/webhook-verification-error.ts";

const PARSER =
  "Usual cause: a body parser ran first. In Express, register this route before express.json(). In Fastify, add a content " +
  'type parser with parseAs: "buffer".';

/** Returns the error for a body that is undefined, or that a parser has replaced. */
export function bodyNotRaw(body: unknown): WebhookVerificationError {
  if (body === undefined) return bodyError("body-missing", "is undefined; pass the raw body.");
  return bodyError("body-parsed", `must be raw; received ${describeType(body)}. ${PARSER}`);
}

/** Returns the error for a body that something else has read. */
export function bodyConsumed(): WebhookVerificationError {
  return bodyError("body-consumed", `was already read. ${PARSER}`);
}

/** Returns the error for a body that is longer than the limit. */
export function bodyTooLarge(maxBodyBytes: number): WebhookVerificationError {
  return bodyError("body-too-large", `is longer than maxBodyBytes (${maxBodyBytes}).`);
}

/** Returns the error for a body that is not UTF-8, or whose stream failed. */
export function bodyUnreadable(problem: string, cause?: unknown): WebhookVerificationError {
  return bodyError("body-unreadable", `${problem}.`, cause);
}

/** Returns the error for a body that was parsed and serialized again. */
export function bodyChanged(): WebhookVerificationError {
  return bodyError("body-changed", "was parsed and serialized again. Pass the raw body.");
}

function bodyError(reason: WebhookVerificationReason, problem: string, cause?: unknown): WebhookVerificationError {
  return new WebhookVerificationError(reason, `The body ${problem}`, { cause });
}
