import { describeType } from "../errors/describe-value.ts";
import { WebhookVerificationError, type WebhookVerificationReason } from "../errors/webhook-verification-error.ts";
import { within } from "./claim-event.ts";
import type { VerifySettings } from "./settings.ts";
import { utf8 } from "./sign.ts";

const PARSER =
  "Usual cause: a body parser ran first. In Express, register this route before express.json(). In Fastify, add a content " +
  "type parser that calls done(null).";

/** What is read of a delivery or of a `Request`. */
interface RawDelivery {
  readonly body: unknown;
  readonly bodyUsed?: boolean;
}

/** How a stream of the web or of Node.js says what it is, and that it was read. */
interface RawBody extends Partial<AsyncIterable<unknown>> {
  readonly locked?: boolean;
  readonly readableDidRead?: boolean;
  readonly readableEnded?: boolean;
}

/**
 * Reads the body of a delivery as text.
 *
 * @throws {@link WebhookVerificationError} if the raw body is missing, was read before, is too long, does not
 * arrive in time, or is not UTF-8.
 */
export async function readBody(
  { body, bodyUsed }: RawDelivery,
  { maxBodyBytes, timeoutMs }: Pick<VerifySettings, "maxBodyBytes" | "timeoutMs">,
): Promise<string> {
  if (body === null) return "";
  // The bytes of a string are at most three times its length. Counting them would take longer than its signature.
  if (typeof body === "string" && body.length * 3 <= maxBodyBytes) return body;
  if (body === undefined) throw bodyError("body-missing", "is undefined; pass the raw body.");
  const { locked, readableDidRead, readableEnded, [Symbol.asyncIterator]: iterator } = body as RawBody;
  if (bodyUsed || locked || readableDidRead || readableEnded) {
    throw bodyError("body-consumed", `was already read. ${PARSER}`);
  }
  let error: WebhookVerificationError;
  try {
    const read = () => readStream(body as AsyncIterable<unknown>, maxBodyBytes);
    const bytes = iterator ? await within(timeoutMs, "Reading the body", read) : bytesOf(body);
    if (!bytes) error = bodyError("body-parsed", `must be raw; received ${describeType(body)}. ${PARSER}`);
    else if (bytes.length > maxBodyBytes) {
      error = bodyError("body-too-large", `is longer than maxBodyBytes (${maxBodyBytes}).`);
    } else return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    error = bodyError("body-unreadable", "could not be read; see `cause`.", cause);
  }
  throw error;
}

/** Returns the error for a body. */
export function bodyError(
  reason: WebhookVerificationReason,
  problem: string,
  cause?: unknown,
): WebhookVerificationError {
  return new WebhookVerificationError(reason, `The body ${problem}`, { cause });
}

/**
 * Reads a stream to its end, or until it is longer than the limit. The chunks are copied into one buffer that grows, since
 * a sender may cut the body into single bytes, and keeping each chunk would cost a hundred times their bytes.
 */
async function readStream(stream: AsyncIterable<unknown>, maxBodyBytes: number): Promise<Uint8Array> {
  let buffer = new Uint8Array(1024);
  let length = 0;
  for await (const chunk of stream) {
    const bytes = bytesOf(chunk);
    if (!bytes) throw new TypeError("A chunk is not bytes.");
    if (length + bytes.length > buffer.length) {
      const grown = new Uint8Array(2 * (length + bytes.length));
      grown.set(buffer);
      buffer = grown;
    }
    buffer.set(bytes, length);
    length += bytes.length;
    if (length > maxBodyBytes) break;
  }
  return buffer.subarray(0, length);
}

/**
 * Returns the bytes of a string or of bytes from any realm; undefined for anything else. A lone surrogate becomes another
 * character, because a sender cannot have signed it. Throws if the bytes were transferred to somewhere else.
 */
function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value === "string") return utf8(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const isBuffer = Object.prototype.toString.call(value) === "[object ArrayBuffer]";
  return isBuffer ? new Uint8Array(value as ArrayBuffer) : undefined;
}
