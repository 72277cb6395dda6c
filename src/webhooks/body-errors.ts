import { describeType } from "../errors/describe-value.ts";
import { WebhookVerificationError } from "../errors/webhook-verification-error.ts";

const FIX =
  "Let the parser skip this route, or keep the bytes: in Express, register the route before express.json(); in Fastify, " +
  'add a content type parser with parseAs: "buffer".';

/** Returns the error for a body that is undefined. */
export function bodyMissing(): WebhookVerificationError {
  return new WebhookVerificationError(
    "body-missing",
    "The body is undefined. Pass the raw body of the request as body.",
  );
}

/** Returns the error for a body that a parser has replaced. */
export function bodyParsed(body: unknown): WebhookVerificationError {
  const problem = `The body must be raw; received ${describeType(body)}. A body parser ran first.`;
  return new WebhookVerificationError("body-parsed", `${problem} ${FIX}`);
}

/** Returns the error for a body that something else has read. */
export function bodyConsumed(): WebhookVerificationError {
  const problem = "The body was already read, usually by a body parser. It can be read only once.";
  return new WebhookVerificationError("body-consumed", `${problem} ${FIX}`);
}

/** Returns the error for a body that is longer than the limit. */
export function bodyTooLarge(maxBodyBytes: number): WebhookVerificationError {
  const problem = `The body is longer than ${maxBodyBytes} bytes. To accept it, raise maxBodyBytes.`;
  return new WebhookVerificationError("body-too-large", problem);
}

/** Returns the error for a body that is not UTF-8. */
export function bodyNotText(): WebhookVerificationError {
  const problem = "The body is not UTF-8. Pass its bytes, or decode them as UTF-8.";
  return new WebhookVerificationError("body-unreadable", problem);
}

/** Returns the error for a stream that failed. */
export function bodyBroken(cause: unknown): WebhookVerificationError {
  const problem = "The body could not be read to its end. The connection was probably cut; see cause.";
  return new WebhookVerificationError("body-unreadable", problem, { cause });
}
