import { describeType } from "../errors/describe-value.ts";
import { bodyConsumed, bodyTooLarge, bodyUnreadable } from "./body-errors.ts";

/** A stream of the web or of Node.js, or another async iterable. */
type BodyStream = AsyncIterable<unknown> & {
  readonly locked?: boolean;
  readonly readableDidRead?: boolean;
  readonly readableEnded?: boolean;
};

/** Returns whether a body is a stream. */
export function isStream(body: unknown): body is BodyStream {
  return describeType(body) === "object" && Symbol.asyncIterator in (body as object);
}

/**
 * Reads a stream to its end, or until it is longer than the limit. The chunks are copied into one buffer that grows, since
 * a sender may cut the body into single bytes, and keeping each chunk would cost a hundred times their bytes.
 *
 * @throws {@link WebhookVerificationError} if it was already read, fails, or is too long.
 */
export async function readStream(stream: BodyStream, maxBodyBytes: number): Promise<Uint8Array> {
  if (stream.locked || stream.readableDidRead || stream.readableEnded) throw bodyConsumed();
  let buffer = new Uint8Array(1024);
  let length = 0;
  let isTooLong = false;
  try {
    for await (const chunk of stream) {
      const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : bytesOf(chunk);
      const end = length + bytes.length;
      isTooLong = end > maxBodyBytes;
      if (isTooLong) break;
      if (end > buffer.length) {
        const grown = new Uint8Array(Math.max(end, 2 * buffer.length));
        grown.set(buffer);
        buffer = grown;
      }
      buffer.set(bytes, length);
      length = end;
    }
  } catch (cause) {
    throw bodyUnreadable("could not be read; see `cause`", cause);
  }
  if (isTooLong) throw bodyTooLarge(maxBodyBytes);
  return buffer.subarray(0, length);
}

/** Returns the bytes of a value, also of one from another realm. Throws if it has none, or lost them in a transfer. */
export function bytesOf(value: unknown): Uint8Array {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (isArrayBuffer(value)) return new Uint8Array(value);
  throw new TypeError(`received ${describeType(value)}, not bytes`);
}

/** Returns whether a value is an ArrayBuffer, also one from another realm. */
export function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === "[object ArrayBuffer]";
}
