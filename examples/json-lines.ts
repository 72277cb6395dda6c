import { createReadStream } from "node:fs";

/** A line of a file, by its number from 1: a value, or the reason why it is none. Blank lines count, but are not given. */
export type JsonLine =
  | { readonly line: number; readonly value: unknown; readonly bytes: number }
  | { readonly line: number; readonly reason: string };

const NEWLINE = 0x0a;
const PIECE = 64 * 1024;
const LONGEST_LINE = 16 * 1024 * 1024;
/** It rejects what is not UTF-8, and drops a byte order mark. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a file of JSON lines piece by piece, however long it is. Its lines may end in LF or CRLF.
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

/** Cuts at line feeds only: `node:readline` would also cut at U+2028, which a JSON string may hold. */
async function* readLines(file: string): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for await (const piece of createReadStream(file, { highWaterMark: PIECE })) {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...begun, piece.subarray(start, end)]);
      begun = [];
      start = end + 1;
    }
    begun.push(piece.subarray(start));
    if (begun.length * PIECE > LONGEST_LINE)
      throw new Error(`${file} has a line of 16 MiB; is it a file of JSON lines?`);
  }
  yield Buffer.concat(begun);
}

function parse(bytes: Buffer): { value: unknown; bytes: number } | { reason: string } | undefined {
  try {
    const text = utf8.decode(bytes);
    return text.trim() === "" ? undefined : { value: JSON.parse(text), bytes: bytes.length };
  } catch (error) {
    return { reason: error instanceof SyntaxError ? `no JSON: ${withColumn(error.message)}` : "not UTF-8" };
  }
}

/** The parser counts lines within the text that it was given, which is always one line. */
function withColumn(message: string): string {
  return message.replace(/ at position \d+ \(line 1 column (\d+)\)$/, ", column $1");
}
