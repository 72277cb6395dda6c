import { ResponseTooLargeError } from "../errors/index.ts";

const utf8 = new TextDecoder();

/** What reading a body needs to know. */
export interface TextOptions {
  readonly operation: string;
  /** The most bytes to read, after decompression. */
  readonly maxBytes: number;
}

/**
 * Reads the body of a response as text, and stops as soon as it is longer than allowed: a compressed body can be a
 * thousand times as long as its `Content-Length`.
 *
 * @throws {@link ResponseTooLargeError} when the body is too long; the rest of it is not read.
 */
export async function readText(response: Response, options: TextOptions): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return withinLimit(await response.text(), response, options);
  const chunks: Uint8Array[] = [];
  for (let total = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return decode(chunks, total);
    total += value.byteLength;
    if (total > options.maxBytes) {
      reader.cancel().catch(() => {});
      throw tooLarge(response, options);
    }
    chunks.push(value);
  }
}

/** A Response of one's own may have no stream; its text is there already, and counted in characters. */
function withinLimit(text: string, response: Response, options: TextOptions): string {
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

function tooLarge({ status }: Response, { operation, maxBytes }: TextOptions): ResponseTooLargeError {
  const message = `${operation}: the body of the answer (${status}) is longer than ${maxBytes} bytes; raise maxResponseBytes to accept it`;
  return new ResponseTooLargeError(message, { operation, status, maxResponseBytes: maxBytes });
}
