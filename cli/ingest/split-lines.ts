const NEWLINE = 0x0a;

/** A line of the input, without its line feed. */
export interface RawLine {
  /** The number of the line, from 1. */
  readonly number: number;
  readonly bytes: Buffer;
  /** Whether the line is longer than the limit; `bytes` is then its beginning. */
  readonly isTooLong: boolean;
}

/**
 * Splits bytes at line feeds only: `node:readline` also splits at U+2028, which is allowed in a JSON string. A line that is
 * longer than the limit is not kept in memory.
 */
export async function* splitLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<RawLine> {
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    if (length <= maxBytes) parts.push(part);
    length += part.length;
  };
  const take = (): RawLine => {
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    number += 1;
    const line = { number, bytes: bytes.subarray(0, maxBytes), isTooLong: length > maxBytes };
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (length > 0) yield take();
}
