import { describeType } from "../errors/describe-value.ts";
import { WebhookVerificationError } from "../errors/webhook-verification-error.ts";

const FIX =
  "In Express, register this route before express.json(). In Fastify, add a content type parser with " +
  'parseAs: "buffer".';

/** Returns the error for a body that is undefined, or that a parser has replaced. */
export function bodyNotRaw(body: unknown): WebhookVerificationError {
  if (body === undefined)
    return new WebhookVerificationError("body-missing", "The body is undefined; pass the raw body.");
  const problem = `The body must be raw; received ${describeType(body)}. A body parser ran first.`;
  return new WebhookVerificationError("body-parsed", `${problem} ${FIX}`);
}

/** Returns the error for a body that something else has read. */
export function bodyConsumed(): WebhookVerificationError {
  const problem = "The body was already read, usually by a body parser.";
  return new WebhookVerificationError("body-consumed", `${problem} ${FIX}`);
}

/** Returns the error for a body that is longer than the limit. */
export function bodyTooLarge(maxBodyBytes: number): WebhookVerificationError {
  return new WebhookVerificationError("body-too-large", `The body is longer than maxBodyBytes (${maxBodyBytes}).`);
}

/** Returns the error for a body that is not UTF-8, or whose stream failed. */
export function bodyUnreadable(problem: string, cause?: unknown): WebhookVerificationError {
  return new WebhookVerificationError("body-unreadable", `The body ${problem}.`, { cause });
}
