import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { createReadStream, type ReadStream, type Stats, statSync } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { UsageError } from "../shared/arguments.ts";
import { encodingOf, explainingFile, inexactIn, isGzip, rejectArchive } from "../shared/files.ts";

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
/** The longest time before lines are sent, in milliseconds, for an input that grows slowly. */
const PART_TIME = 1_000;

/** Matches other names of stdin, which may be redirected from a file. */
const STDIN = /^\/(dev\/(fd\/|stdin)|proc\/)/;

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
    this.file = stats?.isFile() && !STDIN.test(path) ? stats : undefined;
    this.#source = path === "-" ? stdin : createReadStream(path);
  }

  /** Returns the part of the file that was read, from 0 to 1; undefined for other inputs. */
  fractionRead(): number | undefined {
    return this.file && Math.min(1, (this.#source as ReadStream).bytesRead / Math.max(this.file.size, 1));
  }

  /** Ends reading, as if the input were at its end. */
  close(): void {
    this.isClosed = true;
    this.#source.destroy();
  }

  /** Yields the lines after one, in parts. Closing the input ends it, and so does an error, after the lines read before it. */
  async *parts(after = 0): AsyncGenerator<readonly Line[]> {
    const groups = linesOf(asUtf8(this.path, decompressed(this.#source)), after);
    let [part, size, due]: [Line[], number, number] = [[], 0, performance.now() + PART_TIME];
    let failure: unknown;
    try {
      for (let next = groups.next(); ; ) {
        const group = await atMost(due - performance.now(), next);
        if (group?.done) {
          part.push(...group.value);
          this.isEnded = !this.isClosed;
          break;
        }
        if (size >= PART_SIZE || performance.now() >= due) {
          if (part.length > 0) yield part;
          [part, size, due] = [[], 0, performance.now() + PART_TIME];
        }
        if (group === undefined) continue;
        part.push(...group.value);
        size += group.value.reduce((sum, { text }) => sum + text.length + LINE_SIZE, 0);
        next = groups.next();
      }
    } catch (error) {
      failure = error;
    } finally {
      this.#source.destroy();
    }
    if (part.length > 0) yield part;
    if (failure !== undefined && !this.isClosed) throw failure;
  }

  /**
   * Returns the SHA-256 of the file; undefined after `close`.
   *
   * @throws UsageError if the file is gzip and damaged: its repair has another digest, and would be sent as other events.
   */
  async digest(): Promise<string | undefined> {
    const hash = createHash("sha256");
    let start: Buffer | undefined;
    for await (const chunk of createReadStream(this.path, { highWaterMark: 1024 * 1024 })) {
      if (this.isClosed) return undefined;
      start ??= chunk as Buffer;
      hash.update(chunk);
    }
    if (start && isGzip(start)) await this.#checkGzip();
    return this.isClosed ? undefined : hash.digest("hex");
  }

  async #checkGzip(): Promise<void> {
    const source = createReadStream(this.path);
    try {
      for await (const _ of gunzip(source)) if (this.isClosed) break;
    } catch (error) {
      throw new UsageError(`${this.path}: ${(error as Error).message} Compress it again, or restore it.`);
    } finally {
      source.destroy();
    }
  }
}

/** Waits for a promise; returns undefined if that takes longer than a time in milliseconds. */
async function atMost<Value>(time: number, promise: Promise<Value>): Promise<Value | undefined> {
  const end = new AbortController();
  const late = sleep(Math.max(0, time), undefined, { signal: end.signal }).catch(() => undefined);
  return await Promise.race([promise, late]).finally(() => end.abort());
}

type Chunks = AsyncIterable<Buffer>;

/** Reads the first four bytes of chunks, as far as there are so many. Returns them with all chunks. */
async function peek(chunks: Chunks): Promise<readonly [start: Buffer, chunks: Chunks]> {
  const rest = chunks[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  let isDone = false;
  while (!isDone && start.length < 4) {
    const next = await rest.next();
    isDone = next.done === true;
    start = Buffer.concat([start, next.value ?? Buffer.alloc(0)]);
  }
  const all = async function* () {
    yield start;
    if (!isDone) yield* { [Symbol.asyncIterator]: () => rest };
  };
  return [start, all()];
}

async function* decompressed(source: Chunks): AsyncGenerator<Buffer> {
  const [start, chunks] = await peek(source);
  yield* isGzip(start) ? gunzip(chunks) : chunks;
}

/** Converts UTF-16, which PowerShell and spreadsheets write. */
async function* asUtf8(path: string, bytes: Chunks): AsyncGenerator<Buffer> {
  const [start, chunks] = await peek(bytes);
  rejectArchive(path, start);
  const encoding = encodingOf(start);
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks)
    yield encoding === "utf-8" ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
}

async function* gunzip(source: Chunks): AsyncGenerator<Buffer> {
  const zip = createGunzip();
  let read = 0;
  const counted = async function* () {
    for await (const chunk of source) {
      read += chunk.length;
      yield chunk;
    }
  };
  try {
    // The error of the pipeline also reaches the loop.
    yield* pipeline(counted, zip, () => {});
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const isDamaged = code.startsWith("Z_") || code.startsWith("ERR_STREAM_");
    throw isDamaged ? new Error(`the gzip data is incomplete or damaged (${code}).`) : error;
  }
  // Node.js ignores the rest of the input if a NUL follows a member.
  if (zip.bytesWritten < read)
    throw new Error(`the gzip data is damaged: byte ${zip.bytesWritten + 1} does not start another member.`);
}

const NEWLINE = 0x0a;

/** The maximum length of a line, in bytes: the maximum size of a request (G-BODY-MAX). */
const MAX_LINE_BYTES = 10 * 1024 * 1024;

/**
 * Splits bytes at line feeds only: `node:readline` also splits at U+2028, which is allowed in a JSON string. Of a line that is
 * longer than the limit, only the beginning is kept. Leaves out blank lines, and those before a position. Yields the lines of a
 * chunk, and returns the last one.
 */
async function* linesOf(chunks: Chunks, after: number): AsyncGenerator<readonly Line[], readonly Line[], void> {
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
  return take();
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
