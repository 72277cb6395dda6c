import { describeType } from "../errors/describe-value.ts";
import { ResponseTooLargeError } from "../errors/index.ts";
import type { TransportResponse } from "./transport.ts";

const utf8 = new TextDecoder();

/** Options for `readResponseText`. */
export interface TextOptions {
  readonly operation: string;
  /** The maximum number of bytes to read, after decompression. */
  readonly maxBytes: number;
}

/**
 * Reads the body of a response as text, up to a limit. The `Content-Length` cannot tell: a decompressed body can be a
 * thousand times as long.
 *
 * @throws {@link ResponseTooLargeError} when the body is too long. The rest of it is not read.
 */
export async function readResponseText(response: TransportResponse, options: TextOptions): Promise<string> {
  if (!response.body) return withinLimit(await textOf(response), response, options);
  const reader = readerOf(response.body);
  const chunks: Uint8Array[] = [];
  for (let total = 0; ; ) {
    const { done, value } = await reader.next();
    if (done === true) return decode(chunks, total);
    total += sizeOf(value);
    if (total > options.maxBytes) {
      reader.cancel();
      throw tooLarge(response, options);
    }
    chunks.push(value);
  }
}

/** Reads the text of a custom `Response` without a stream. */
async function textOf(response: TransportResponse): Promise<string> {
  return "text" in response ? (response as Response).text() : "";
}

interface ChunkReader {
  next(): Promise<IteratorResult<Uint8Array, unknown>>;
  cancel(): void;
}

/** Reads a stream by its reader, because iterating over it takes longer, and browsers may not support it. */
function readerOf(body: NonNullable<TransportResponse["body"]>): ChunkReader {
  const ignore = (): void => {};
  if ("getReader" in body) {
    const reader = body.getReader();
    return { next: () => reader.read(), cancel: () => void reader.cancel().catch(ignore) };
  }
  const iterator = body[Symbol.asyncIterator]();
  return { next: () => iterator.next(), cancel: () => void iterator.return?.().catch(ignore) };
}

function sizeOf(chunk: Uint8Array): number {
  if (ArrayBuffer.isView(chunk)) return chunk.byteLength;
  throw new TypeError(`the body must consist of Uint8Array chunks; received ${describeType(chunk)}`);
}

/** Checks the text of a custom Response without a stream, by its number of characters. */
function withinLimit(text: string, response: TransportResponse, options: TextOptions): string {
  if (text.length > options.maxBytes) throw tooLarge(response, options);
  return text;
}

function decode(chunks: readonly Uint8Array[], total: number): string {
  const [first] = chunks;
  return utf8.decode(chunks.length === 1 ? first : joined(chunks, total));
}

function joined(chunks: readonly Uint8Array[], total: number): Uint8Array {
  const bytes = new Uint8Array(total);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

function tooLarge({ status }: TransportResponse, { operation, maxBytes }: TextOptions): ResponseTooLargeError {
  const message = `${operation}: the response body (${status}) is longer than ${maxBytes} bytes; raise maxResponseBytes to accept it`;
  return new ResponseTooLargeError(message, { operation, status, maxResponseBytes: maxBytes });
}
