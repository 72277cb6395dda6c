import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { createReadStream, openSync, type Stats, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { UsageError } from "../shared/arguments.ts";
import { encodingOf, explainingFile, inexactIn } from "../shared/files.ts";

/** A line that is not blank, with its value or the reason why it has none. */
export interface Line {
  /** Counts from 1. */
  readonly number: number;
  readonly text: string;
  readonly value?: unknown;
  readonly reason?: string;
  /** Whether it is a JSON object, as far as it was read. */
  readonly isObject: boolean;
}

/** The characters that are sent before the next checkpoint: enough to keep all requests busy most of the time. */
const PART_SIZE = 4 * 1024 * 1024;
/** What each line adds to its length, so that short lines are limited as well. */
const LINE_SIZE = 300;
/** The time after which lines are sent when the next ones arrive, in milliseconds, for an input that grows slowly. */
const PART_TIME = 1_000;

/** The file or stdin (`-`) that is ingested. */
export class Input {
  readonly path: string;
  /** The file; undefined for stdin, a pipe or a device, which cannot be read a second time. */
  readonly file: Stats | undefined;
  /** Whether the input was read to its end, without an error. */
  isEnded = false;
  /** Whether `close` was called. */
  isClosed = false;
  readonly #source: Readable;

  /** @throws UsageError when the file cannot be read. */
  constructor(path: string, stdin: Readable) {
    this.path = path;
    const stats = path === "-" ? undefined : explainingFile(path, () => statSync(path));
    if (stats?.isDirectory()) throw new UsageError(`${path}: this is a folder.`);
    this.file = stats?.isFile() ? stats : undefined;
    // Opening a pipe waits for its writer.
    const fd = this.file && explainingFile(path, () => openSync(path, "r"));
    this.#source = path === "-" ? stdin : createReadStream(path, { ...(fd !== undefined && { fd }) });
  }

  /** Ends reading, as if the input were at its end. */
  close(): void {
    this.isClosed = true;
    this.#source.destroy();
  }

  /** Yields the lines after one, in parts. Closing the input ends it, after the lines that were read before. */
  async *parts(after = 0): AsyncGenerator<readonly Line[]> {
    let [part, size, due]: [Line[], number, number] = [[], 0, performance.now() + PART_TIME];
    try {
      for await (const lines of linesOf(textOf(this.path, this.#source), after)) {
        part.push(...lines);
        size += lines.reduce((sum, { text }) => sum + text.length + LINE_SIZE, 0);
        if (size < PART_SIZE && performance.now() < due) continue;
        if (part.length > 0) yield part;
        [part, size, due] = [[], 0, performance.now() + PART_TIME];
      }
      this.isEnded = !this.isClosed;
    } catch (error) {
      if (!this.isClosed) throw error;
    }
    if (part.length > 0) yield part;
  }

  /** Returns the SHA-256 of the file; undefined after `close`. */
  async digest(): Promise<string | undefined> {
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(this.path, { highWaterMark: 1024 * 1024 })) {
      if (this.isClosed) return undefined;
      hash.update(chunk);
    }
    return hash.digest("hex");
  }
}

type Chunks = AsyncIterable<Buffer>;

/** The first bytes of what is not text, or text in another encoding, and what to do with it. */
const OTHERS: readonly (readonly [isOther: (start: Buffer) => boolean, problem: string])[] = [
  [(start) => start.readUInt16BE() === 0x1f8b, "is compressed with gzip; decompress it first: gunzip -k <file>"],
  [
    (start) => start.toString("latin1", 0, 4) === "PK\u0003\u0004",
    "is a ZIP archive or an Excel workbook; pass the text in it",
  ],
  [(start) => encodingOf(start) !== "utf-8", "is in UTF-16; convert it first: iconv -f UTF-16 -t UTF-8 <file>"],
];

/** Returns the chunks of a UTF-8 text. Throws a UsageError if the input has another format, and names it. */
async function* textOf(path: string, chunks: Chunks): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of chunks) {
    const other = isFirst && chunk.length > 3 ? OTHERS.find(([isOther]) => isOther(chunk)) : undefined;
    if (other !== undefined) throw new UsageError(`${path}: the input ${other[1]}.`);
    isFirst = false;
    yield chunk;
  }
}

const NEWLINE = 0x0a;

/** The maximum length of a line, in bytes: the maximum size of a request (G-BODY-MAX). */
const MAX_LINE_BYTES = 10 * 1024 * 1024;

/**
 * Splits bytes at line feeds only: `node:readline` also splits at U+2028, which is allowed in a JSON string. Of a line that is
 * longer than the limit, only the beginning is kept. Leaves out blank lines, and those before a position. Yields the lines of a
 * chunk at a time.
 */
async function* linesOf(chunks: Chunks, after: number): AsyncGenerator<readonly Line[]> {
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;
  const add = (bytes: Buffer) => {
    if (length <= MAX_LINE_BYTES) parts.push(bytes);
    length += bytes.length;
  };
  const take = () => {
    number += 1;
    const line =
      number > after ? parseLine(number, parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)) : [];
    [parts, length] = [[], 0];
    return line;
  };
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, end));
      lines.push(...take());
      from = end + 1;
    }
    add(chunk.subarray(from));
    yield lines;
  }
  yield take();
}

/** Parses a line as JSON. Returns nothing for a blank line. */
function parseLine(number: number, bytes: Buffer): Line[] {
  const text = bytes
    .toString("utf8", 0, MAX_LINE_BYTES)
    .replace(/^\uFEFF/, "")
    .replace(/\r$/, "");
  if (text.trim() === "") return [];
  const invalid = (reason: string, isObject = false): Line[] => [{ number, text, reason, isObject }];
  const isArray = text.trimStart().startsWith("[");
  if (bytes.length > MAX_LINE_BYTES) return invalid(`longer than ${MAX_LINE_BYTES} bytes`, !isArray);
  if (!isUtf8(bytes)) return invalid("not UTF-8");
  try {
    const value = JSON.parse(text);
    const integer = inexactIn(text);
    if (integer !== undefined) return invalid(`the number ${integer} would be rounded; write it as a string`, !isArray);
    return [{ number, text, value, isObject: typeof value === "object" && value !== null && !isArray }];
  } catch (error) {
    if (error instanceof RangeError) return invalid("nested too deeply", !isArray);
    return invalid(`not JSON: ${(error as Error).message}`);
  }
}
