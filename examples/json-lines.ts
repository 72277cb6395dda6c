import { createReadStream } from "node:fs";

/** A line of a file: its number from 1, and its value or the reason why it is invalid. Blank lines count but are skipped. */
export type JsonLine =
  | { readonly line: number; readonly value: unknown; readonly bytes: number }
  | { readonly line: number; readonly reason: string };

const NEWLINE = 0x0a;
const CHUNK_SIZE = 64 * 1024;
const MAX_LINE = 16 * 1024 * 1024;
/** Rejects bytes that are not UTF-8, and removes a byte order mark. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a file of JSON lines in chunks, so it can have any size. Lines may end with LF or CRLF.
 *
 * @throws Error when the file cannot be read, or when a line has 16 MiB or more.
 */
export async function* readJsonLines(file: string): AsyncGenerator<JsonLine> {
  let line = 0;
  for await (const bytes of readLines(file)) {
    line += 1;
    const parsed = parse(bytes);
    if (parsed !== undefined) yield { line, ...parsed };
  }
}

/** Splits only at line feeds. `node:readline` also splits at U+2028, which is allowed in a JSON string. */
async function* readLines(file: string): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_SIZE })) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]);
      begun = [];
      start = end + 1;
    }
    begun.push(chunk.subarray(start));
    if (begun.length * CHUNK_SIZE > MAX_LINE)
      throw new Error(`${file} has a line of 16 MiB or more. Is it a file of JSON lines?`);
  }
  yield Buffer.concat(begun);
}

function parse(bytes: Buffer): { value: unknown; bytes: number } | { reason: string } | undefined {
  try {
    const text = utf8.decode(bytes);
    return text.trim() === "" ? undefined : { value: JSON.parse(text), bytes: bytes.length };
  } catch (error) {
    return { reason: error instanceof SyntaxError ? `not JSON: ${withColumn(error.message)}` : "not UTF-8" };
  }
}

/** Removes the line number of the parser, which is always 1. */
function withColumn(message: string): string {
  return message.replace(/ at position \d+ \(line 1 column (\d+)\)$/, ", column $1");
}
