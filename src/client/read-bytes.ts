import { describeType } from "../errors/describe-value.ts";

/** A stream of the web or of Node.js. */
type Stream = ReadableStream<unknown> | AsyncIterable<unknown>;

/**
 * Reads a stream to its end. Returns undefined, and cancels the stream, if it is longer than the limit. The chunks are copied
 * into one buffer that grows, since a sender may cut the body into single bytes, and keeping each chunk would take thirty times
 * their bytes.
 */
export async function readBytes(
  stream: Stream,
  maxBytes: number,
  bytesOf: (chunk: unknown) => Uint8Array | undefined = viewOf,
): Promise<Uint8Array | undefined> {
  // Iterating over a web stream takes longer than its reader, and browsers may not support it.
  const source = "getReader" in stream ? stream.getReader() : stream[Symbol.asyncIterator]();
  let buffer: Uint8Array = new Uint8Array();
  for (let length = 0; ; ) {
    const { done, value } = await ("read" in source ? source.read() : source.next());
    if (done === true) return buffer.subarray(0, length);
    const bytes = bytesOf(value);
    if (bytes === undefined) throw new TypeError(`the body must consist of bytes; received ${describeType(value)}`);
    const end = length + bytes.length;
    if (end > maxBytes) {
      ("read" in source ? source.cancel() : source.return?.())?.catch(() => undefined);
      return undefined;
    }
    if (end > buffer.length) {
      const read = buffer;
      // The first chunk is often the only one.
      buffer = length === 0 ? bytes : new Uint8Array(Math.min(2 * end, maxBytes));
      buffer.set(read);
    }
    if (length > 0) buffer.set(bytes, length);
    length = end;
  }
}

/** Returns bytes from any realm; undefined for anything else. Throws if they were transferred to somewhere else. */
export function viewOf(value: unknown): Uint8Array | undefined {
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined;
}
