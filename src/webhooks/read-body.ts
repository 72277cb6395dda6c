import { WebhookVerificationError, type WebhookVerificationReason } from "../errors/webhook-verification-error.ts";
import { type ByteSource, cancel, readBytes, viewOf } from "../values/bytes.ts";
import { describeType } from "../values/describe.ts";
import { finishWithin } from "./seen.ts";
import type { VerifySettings } from "./settings.ts";
import { utf8 } from "./sign.ts";
import type { WebhookDelivery } from "./webhook-event.ts";

const PARSER =
  "Usual cause: a body parser or request.json() ran first. In Express, register this route before express.json(). In Fastify, " +
  "add a content type parser that calls done(null).";

type RawDelivery = Pick<WebhookDelivery, "body"> & { readonly bodyUsed?: boolean };

/** How a stream of Node.js says that it was read. */
export interface NodeStream {
  readonly readableDidRead: boolean;
  readonly readableEnded: boolean;
}

/** A body that may be a stream of the web or of Node.js. */
interface RawBody extends Partial<AsyncIterable<unknown>>, Partial<NodeStream> {
  readonly getReader?: () => ReadableStreamDefaultReader;
  readonly locked?: boolean;
}

/**
 * Reads the body of a delivery.
 *
 * @throws {@link WebhookVerificationError} if the raw body is missing, was read before, is too long, or does not arrive in time.
 */
export async function readBody(delivery: RawDelivery, settings: VerifySettings): Promise<string | Uint8Array> {
  const { body, bodyUsed } = delivery;
  const { maxBodyBytes, timeoutMs } = settings;
  if (body === null) return "";
  // The bytes of a string are at most three times its length. Counting them would take longer than its signature.
  if (typeof body === "string" && body.length * 3 <= maxBodyBytes) return body;
  if (body === undefined) throw bodyError("body-missing", "is undefined; pass the raw body.");
  const { locked, readableDidRead, readableEnded, getReader, [Symbol.asyncIterator]: iterator } = body as RawBody;
  if (bodyUsed || locked || readableDidRead || readableEnded) {
    throw bodyError("body-consumed", `was already read. ${PARSER}`);
  }
  const source: ByteSource | undefined = getReader?.call(body) ?? iterator?.call(body);
  let bytes: Uint8Array | undefined;
  try {
    const read = source && (() => readBytes(source, maxBodyBytes, bytesOf));
    bytes = read ? await finishWithin(timeoutMs, "Reading the body", read) : bytesOf(body);
  } catch (cause) {
    if (source) cancel(source);
    throw unreadable(cause);
  }
  if (bytes && bytes.length <= maxBodyBytes) return bytes;
  if (!source && !bytes) throw bodyError("body-parsed", `must be raw; received ${describeType(body)}. ${PARSER}`);
  throw bodyError("body-too-large", `is longer than maxBodyBytes (${maxBodyBytes}).`);
}

/**
 * Decodes a body whose signature is right: decoding costs more than the signature.
 *
 * @throws {@link WebhookVerificationError} if the body is not UTF-8.
 */
export function decodeBody(body: string | Uint8Array): string {
  try {
    return typeof body === "string" ? body : new TextDecoder("utf8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause: unknown): WebhookVerificationError {
  return bodyError("body-unreadable", "could not be read; see `cause`.", cause);
}

function bodyError(reason: WebhookVerificationReason, problem: string, cause?: unknown): WebhookVerificationError {
  return new WebhookVerificationError(reason, `The body ${problem}`, { cause });
}

/** Returns the bytes of a string, whose lone surrogates become another character, or of bytes; undefined for anything else. */
function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value === "string") return utf8(value);
  const buffer = value as ArrayBuffer | null | undefined;
  return buffer?.[Symbol.toStringTag] === "ArrayBuffer" ? new Uint8Array(buffer) : viewOf(value);
}
