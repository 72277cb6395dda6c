import { createHash, randomUUID } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { UsageClient } from "../../src/usage/index.ts";
import { explainFileError, UsageError } from "../shared/arguments.ts";

/** The maximum length of a line, in bytes: the maximum size of a request (G-BODY-MAX). */
const MAX_LINE_BYTES = 10 * 1024 * 1024;

/** A position between two lines. */
export interface Position {
  /** The number of lines before it. */
  readonly line: number;
  /** The number of decompressed bytes before it. */
  readonly bytes: number;
}

/** A line that is not blank, with its value or the reason why it has none. */
export interface Line {
  readonly text: string;
  readonly value?: unknown;
  readonly reason?: string;
  /** The position that follows it. */
  readonly after: Position;
}

/** The lines that are sent before the next checkpoint: enough to keep all requests busy most of the time. */
const PART_LINES = 10_000;
const PART_CHARACTERS = 16 * 1024 * 1024;
/** In milliseconds, for an input that grows slowly. */
const PART_TIME = 1_000;

/** The file or stdin (`-`) that is ingested. */
export class Input {
  readonly path: string;
  /** The size of the file; undefined for stdin, a pipe or a device, which cannot be read a second time. */
  readonly size: number | undefined;
  readonly #source: Readable & { readonly bytesRead?: number };
  #isClosed = false;

  /** @throws UsageError when the file cannot be read. */
  constructor(path: string) {
    this.path = path;
    this.size = path === "-" ? undefined : sizeOf(path);
    this.#source = path === "-" ? process.stdin : createReadStream(path);
  }

  /** Whether `close` was called. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Returns the part of the file that was read, from 0 to 1; undefined for other inputs. */
  fractionRead(): number | undefined {
    const { bytesRead = 0 } = this.#source;
    return this.size === undefined ? undefined : Math.min(1, bytesRead / Math.max(this.size, 1));
  }

  /** Ends reading, as if the input were at its end. */
  close(): void {
    this.#isClosed = true;
    this.#source.destroy();
  }

  /** Closes the file at its end, or after an error. */
  destroy(): void {
    this.#source.destroy();
  }

  /** Yields the lines after a position, in parts. Closing the input ends it. */
  async *parts(start: Position = { line: 0, bytes: 0 }): AsyncGenerator<readonly Line[]> {
    let [part, characters, since]: [Line[], number, number] = [[], 0, performance.now()];
    try {
      for await (const line of linesOf(decompressed(this.#source), start)) {
        part.push(line);
        characters += line.text.length;
        const isSmall = part.length < PART_LINES && characters < PART_CHARACTERS;
        if (isSmall && performance.now() - since < PART_TIME) continue;
        yield part;
        [part, characters, since] = [[], 0, performance.now()];
      }
    } catch (error) {
      if (!this.#isClosed) throw error;
    }
    if (part.length > 0) yield part;
  }

  /** Returns the SHA-256 of the file and its size, and the SHA-256 of its first bytes; undefined after `close`. */
  async digest(first: number): Promise<{ whole: string; size: number; first: string | undefined } | undefined> {
    const hash = createHash("sha256");
    let size = 0;
    let start = first === 0 ? hash.copy().digest("hex") : undefined;
    for await (const chunk of createReadStream(this.path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
      if (this.#isClosed) return undefined;
      const rest = first - size;
      if (rest > 0 && rest <= chunk.length) start = hash.copy().update(chunk.subarray(0, rest)).digest("hex");
      hash.update(chunk);
      size += chunk.length;
    }
    return { whole: hash.digest("hex"), size, first: start };
  }
}

/** Matches other names of stdin, which may be redirected from a file. */
const STDIN = /^\/(dev\/(fd\/|stdin)|proc\/)/;

function sizeOf(path: string): number | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isDirectory()) return stats.isFile() && !STDIN.test(path) ? stats.size : undefined;
  } catch (error) {
    throw new UsageError(`${path}: ${explainFileError(error)}.`);
  }
  throw new UsageError(`${path}: this is a folder.`);
}

/** Recognizes gzip by its first two bytes, because stdin has no file name. */
async function* decompressed(source: Readable): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
  let start = Buffer.alloc(0);
  while (start.length < 2) {
    const { done, value } = await chunks.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const all = async function* () {
    yield start;
    yield* chunks;
  };
  yield* start.length >= 2 && start.readUInt16BE() === 0x1f8b ? gunzip(all()) : all();
}

async function* gunzip(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const zip = createGunzip();
  let given = 0;
  let lastData = 0;
  const counted = async function* () {
    // Unlike `for await`, this does not close the input when Node.js stops reading.
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      const last = next.value.findLastIndex((byte) => byte !== 0);
      if (last !== -1) lastData = given + last + 1;
      given += next.value.length;
      yield next.value;
    }
  };
  try {
    // The error of the pipeline also reaches the loop.
    yield* pipeline(Readable.from(counted()), zip, () => {}) as AsyncIterable<Buffer>;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const isDamaged = code.startsWith("Z_") || code.startsWith("ERR_STREAM_");
    throw isDamaged ? new Error(`the gzip data is incomplete or damaged (${code}).`) : error;
  }
  // Node.js ignores the rest of the input if a NUL follows a member. If the rest has only NULs, it is padding.
  for await (const _ of counted());
  if (zip.bytesWritten < lastData)
    throw new Error(`the gzip data is damaged: byte ${zip.bytesWritten + 1} does not start another member.`);
}

const NEWLINE = 0x0a;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Splits bytes at line feeds only: `node:readline` also splits at U+2028, which is allowed in a JSON string. A line that is
 * longer than the limit is not kept in memory. Leaves out blank lines.
 */
async function* linesOf(chunks: AsyncIterable<Buffer>, start: Position): AsyncGenerator<Line> {
  let position: Position = { line: start.line, bytes: 0 };
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    if (length <= MAX_LINE_BYTES) parts.push(part);
    length += part.length;
  };
  const take = (): Line | undefined => {
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    position = { line: position.line + 1, bytes: position.bytes + length + 1 };
    const line = parseLine(bytes.subarray(0, MAX_LINE_BYTES), length > MAX_LINE_BYTES);
    [parts, length] = [[], 0];
    return line && { ...line, after: position };
  };
  for await (const whole of chunks) {
    const skipped = Math.min(start.bytes - position.bytes, whole.length);
    const chunk = skipped > 0 ? whole.subarray(skipped) : whole;
    if (skipped > 0) position = { ...position, bytes: position.bytes + skipped };
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, end));
      const line = take();
      if (line) yield line;
      from = end + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  }
  const last = length > 0 ? take() : undefined;
  if (last) yield last;
}

/** Parses a line as JSON; undefined for a blank line. */
function parseLine(bytes: Buffer, isTooLong: boolean): Omit<Line, "after"> | undefined {
  const text = bytes
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .replace(/\r$/, "");
  if (text.trim() === "") return undefined;
  if (isTooLong) return { text, reason: `longer than ${MAX_LINE_BYTES} bytes` };
  try {
    return { text, value: parseExactly(text.includes("\uFFFD") ? strictUtf8.decode(bytes) : text) };
  } catch (error) {
    return { text, reason: error instanceof SyntaxError ? `not JSON: ${withColumn(error.message)}` : "not UTF-8" };
  }
}

/** Removes the line number of the parser, which is always 1. */
function withColumn(message: string): string {
  return message.replace(/ at position \d+ \(line 1 column (\d+)\)$/, ", column $1");
}

/** Stands before the text of a number until it is sent. No input can contain it. */
const EXACT = `${randomUUID()}:`;

/** Matches what may be a number that JavaScript cannot represent exactly. */
const LONG_NUMBER = /[\d.]{16}|\d[eE]/;

let hasExact = false;

/** Parses JSON. A number whose text JavaScript would change becomes a string that {@link sendExactly} sends as that text. */
function parseExactly(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source: string }) => {
    if (typeof value !== "number" || context === undefined || String(value) === context.source) return value;
    hasExact = true;
    return EXACT + context.source;
  });
}

// The libraries of TypeScript do not declare it yet.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** Returns a client that sends the numbers of a line as they are written there. */
export function sendExactly(client: UsageClient): UsageClient {
  const restore = (_key: string, value: unknown) =>
    typeof value === "string" && value.startsWith(EXACT) ? rawJSON(value.slice(EXACT.length)) : value;
  return {
    events: {
      ingest: (events, options) =>
        client.events.ingest(hasExact ? JSON.parse(JSON.stringify(events), restore) : events, options),
    },
  };
}
