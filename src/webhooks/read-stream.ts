import { describeType } from "../errors/describe-value.ts";
import { bodyBroken, bodyConsumed } from "./body-errors.ts";

type Chunks = AsyncIterable<unknown>;

/** A stream of the web or of Node.js, or another async iterable. */
type BodyStream = Chunks & {
  readonly locked?: boolean;
  readonly readableDidRead?: boolean;
  readonly readableEnded?: boolean;
  getReader?(): ReadableStreamDefaultReader<unknown>;
  iterator?(options: { readonly destroyOnReturn: boolean }): Chunks;
};

/** Returns whether a body is a stream. */
export function isStream(body: unknown): body is BodyStream {
  return typeof body === "object" && body !== null && ("getReader" in body || Symbol.asyncIterator in body);
}

/**
 * Reads a stream to its end, or until it is longer than the limit.
 *
 * @throws {@link WebhookVerificationError} if it was already read, or fails.
 */
export async function readStream(stream: BodyStream, maxBodyBytes: number): Promise<Uint8Array> {
  if (stream.locked || stream.readableDidRead || stream.readableEnded) throw bodyConsumed();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of chunksOf(stream)) {
      const bytes = toBytes(chunk);
      if (bytes.length > 0) chunks.push(bytes);
      length += bytes.length;
      if (length > maxBodyBytes) break;
    }
  } catch (error) {
    throw bodyBroken(error);
  }
  return concat(chunks, length);
}

/** Returns the chunks of a stream. Ending early does not destroy a request of Node.js, which still needs a response. */
function chunksOf(stream: BodyStream): Chunks {
  if (stream.getReader) return readAll(stream.getReader());
  return stream.iterator?.({ destroyOnReturn: false }) ?? stream;
}

async function* readAll(reader: ReadableStreamDefaultReader<unknown>): Chunks {
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function toBytes(chunk: unknown): Uint8Array {
  if (typeof chunk === "string") return new TextEncoder().encode(chunk);
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  throw new TypeError(`The stream of the body must consist of bytes; received ${describeType(chunk)}.`);
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
