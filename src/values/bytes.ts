import { describeType } from "./describe.ts";

/** The reader of a web stream, or the iterator of a stream of Node.js. */
export type ByteSource = ReadableStreamDefaultReader<unknown> | AsyncIterator<unknown>;

/**
 * Reads a stream to its end. Returns undefined, and cancels the stream, if it is longer than the limit. The chunks are copied
 * into one buffer that grows, since a sender may cut the body into single bytes, and keeping each chunk would take thirty times
 * their bytes.
 */
export async function readBytes(
  source: ByteSource,
  maxBytes: number,
  bytesOf: (chunk: unknown) => Uint8Array | undefined = viewOf,
): Promise<Uint8Array | undefined> {
  let buffer: Uint8Array = new Uint8Array();
  for (let length = 0; ; ) {
    const { done, value } = await ("read" in source ? source.read() : source.next());
    if (done === true) return buffer.subarray(0, length);
    const bytes = bytesOf(value);
    if (bytes === undefined) throw new TypeError(`the body must consist of bytes; received ${describeType(value)}`);
    const end = length + bytes.length;
    if (end > maxBytes) {
      cancel(source);
      return undefined;
    }
    if (end > buffer.length) {
      const read = buffer;
      // The first chunk is often the only one.
      buffer = new Uint8Array(length === 0 ? end : Math.min(2 * end, maxBytes));
      buffer.set(read);
    }
    buffer.set(bytes, length);
    length = end;
  }
}

/** Cancels a stream, whatever comes of it. */
export function cancel(source: ByteSource): void {
  ("read" in source ? source.cancel() : source.return?.())?.catch(() => undefined);
}

/** Returns bytes from any realm; undefined for anything else. Throws if they were transferred to somewhere else. */
export function viewOf(value: unknown): Uint8Array | undefined {
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined;
}

/** Compresses text or bytes with gzip. */
export async function gzip(content: string | Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([content]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

/** Decompresses bytes with gzip. Returns undefined if the result is longer than the limit. */
export function gunzip(bytes: ArrayBuffer | Uint8Array, maxBytes: number): Promise<Uint8Array | undefined> {
  const content = new Blob([bytes as ArrayBuffer]).stream().pipeThrough(new DecompressionStream("gzip"));
  return readBytes(content.getReader(), maxBytes);
}
