import { describeType } from "../errors/describe-value.ts";
import { bodyConsumed, bodyUnreadable } from "./body-errors.ts";

/** A stream of the web or of Node.js, or another async iterable. */
type BodyStream = AsyncIterable<BlobPart> & {
  readonly locked?: boolean;
  readonly readableDidRead?: boolean;
  readonly readableEnded?: boolean;
};

/** Returns whether a body is a stream. */
export function isStream(body: unknown): body is BodyStream {
  return describeType(body) === "object" && Symbol.asyncIterator in (body as object);
}

/**
 * Reads a stream to its end, or until it is longer than the limit.
 *
 * @throws {@link WebhookVerificationError} if it was already read, or fails.
 */
export async function readStream(stream: BodyStream, maxBodyBytes: number): Promise<Uint8Array> {
  if (stream.locked || stream.readableDidRead || stream.readableEnded) throw bodyConsumed();
  const chunks: BlobPart[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      length += (chunk as Uint8Array).byteLength ?? String(chunk).length;
      if (length > maxBodyBytes) break;
    }
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  } catch (cause) {
    throw bodyUnreadable("could not be read; see `cause`", cause);
  }
}
