import { describeType } from "../errors/describe-value.ts";

/** Reads a stream of the web or of Node.js chunk by chunk. */
export interface ChunkReader {
  next(): Promise<IteratorResult<unknown, unknown>>;
  cancel(): void;
}

/** Reads a web stream by its reader, because iterating over it takes longer, and browsers may not support it. */
export function readerOf(stream: ReadableStream<unknown> | AsyncIterable<unknown>): ChunkReader {
  const ignore = (): void => {};
  if ("getReader" in stream) {
    const reader = stream.getReader();
    return { next: () => reader.read(), cancel: () => void reader.cancel().catch(ignore) };
  }
  const iterator = stream[Symbol.asyncIterator]();
  return { next: () => iterator.next(), cancel: () => void iterator.return?.().catch(ignore) };
}

/**
 * Reads a stream to its end. Returns undefined, and cancels the stream, if it is longer than the limit. The chunks are copied
 * into one buffer that grows, since a sender may cut the body into single bytes, and keeping each chunk would take thirty times
 * their bytes.
 */
export async function readBytes(
  reader: ChunkReader,
  maxBytes: number,
  bytesOf: (chunk: unknown) => Uint8Array | undefined = viewOf,
): Promise<Uint8Array | undefined> {
  let buffer: Uint8Array = new Uint8Array();
  let length = 0;
  for (;;) {
    const { done, value } = await reader.next();
    if (done === true) return buffer.subarray(0, length);
    const bytes = bytesOf(value);
    if (bytes === undefined) throw new TypeError(`the body must consist of bytes; received ${describeType(value)}`);
    const end = length + bytes.length;
    if (end > maxBytes) {
      reader.cancel();
      return undefined;
    }
    const read = buffer;
    // The first chunk is often the only one.
    if (length === 0) buffer = bytes;
    else {
      if (end > read.length) {
        buffer = new Uint8Array(Math.min(2 * end, maxBytes));
        buffer.set(read);
      }
      buffer.set(bytes, length);
    }
    length = end;
  }
}

/** Returns bytes from any realm; undefined for anything else. Throws if they were transferred to somewhere else. */
export function viewOf(value: unknown): Uint8Array | undefined {
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined;
}
