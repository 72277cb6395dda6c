import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { explainFileError, UsageError } from "../shared/arguments.ts";
import { inexactIn } from "../shared/inexact-in.ts";

/** A line that is not blank, with its value or the reason why it has none. */
export interface Line {
  /** Counts from 1. */
  readonly number: number;
  readonly text: string;
  readonly value?: unknown;
  readonly reason?: string;
}

/** The characters that are sent before the next checkpoint: enough to keep all requests busy most of the time. */
const PART_SIZE = 4 * 1024 * 1024;
/** What each line adds to its length, so that short lines are limited as well. */
const LINE_SIZE = 300;
/** The longest time before lines are sent, in milliseconds, for an input that grows slowly. */
const PART_TIME = 1_000;

/** A file, or the stream of stdin. */
type Source = Readable & { readonly bytesRead: number };

/** Matches other names of stdin, which may be redirected from a file. */
const STDIN = /^\/(dev\/(fd\/|stdin)|proc\/)/;

/** The file or stdin (`-`) that is ingested. */
export class Input {
  readonly path: string;
  /** The size of the file; undefined for stdin, a pipe or a device, which cannot be read a second time. */
  readonly size: number | undefined;
  /** When the file was changed, in milliseconds; undefined if `size` is. */
  readonly modified: number | undefined;
  /** Whether the input was read to its end, without an error. */
  isEnded = false;
  /** Whether `close` was called. */
  isClosed = false;
  readonly #source: Source;

  /** @throws UsageError when the file cannot be read. */
  constructor(path: string) {
    this.path = path;
    try {
      const stats = path === "-" ? undefined : statSync(path);
      if (stats?.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
      const file = stats?.isFile() && !STDIN.test(path) ? stats : undefined;
      [this.size, this.modified] = [file?.size, file?.mtimeMs];
    } catch (error) {
      throw new UsageError(`${path}: ${explainFileError(error)}.`);
    }
    this.#source = path === "-" ? process.stdin : createReadStream(path);
  }

  /** Returns the part of the file that was read, from 0 to 1; undefined for other inputs. */
  fractionRead(): number | undefined {
    return this.size === undefined ? undefined : Math.min(1, this.#source.bytesRead / Math.max(this.size, 1));
  }

  /** Ends reading, as if the input were at its end. */
  close(): void {
    this.isClosed = true;
    this.#source.destroy();
  }

  /** Yields the lines after one, in parts. Closing the input ends it, and so does an error, after the lines read before it. */
  async *parts(after = 0): AsyncGenerator<readonly Line[]> {
    const groups = linesOf(decompressed(this.#source), after);
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

/** Recognizes gzip by its first two bytes, because stdin has no file name. */
function isGzip(start: Buffer): boolean {
  return start.length > 1 && start.readUInt16BE() === 0x1f8b;
}

async function* decompressed(source: Source): AsyncGenerator<Buffer> {
  let start = Buffer.alloc(0);
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    start = Buffer.concat([start, chunk]);
    if (start.length > 1) break;
  }
  if (start.length > 1) source.unshift(start);
  else yield start;
  yield* isGzip(start) ? gunzip(source) : source;
}

async function* gunzip(source: Source): AsyncGenerator<Buffer> {
  const zip = createGunzip();
  try {
    // The error of the pipeline also reaches the loop.
    yield* pipeline(source, zip, () => {});
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const isDamaged = code.startsWith("Z_") || code.startsWith("ERR_STREAM_");
    throw isDamaged ? new Error(`the gzip data is incomplete or damaged (${code}).`) : error;
  }
  // Node.js ignores the rest of the input if a NUL follows a member.
  if (zip.bytesWritten < source.bytesRead)
    throw new Error(`the gzip data is damaged: byte ${zip.bytesWritten + 1} does not start another member.`);
}

const NEWLINE = 0x0a;

/** The maximum length of a line, in bytes: the maximum size of a request (G-BODY-MAX). */
const MAX_LINE_BYTES = 10 * 1024 * 1024;

/**
 * Splits bytes at line feeds only: `node:readline` also splits at U+2028, which is allowed in a JSON string. A line that is
 * longer than the limit is not kept in memory. Leaves out blank lines, and those before a position. Yields the lines of a chunk,
 * and returns the last one.
 */
async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  after: number,
): AsyncGenerator<readonly Line[], readonly Line[], void> {
  let number = 0;
  let rest = Buffer.alloc(0);
  const take = (bytes: Buffer) => {
    number += 1;
    return number > after ? parseLine(number, bytes) : [];
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest.subarray(0, MAX_LINE_BYTES + 1), chunk]);
    const lines: Line[] = [];
    let from = 0;
    for (let end = bytes.length - chunk.length; ; from = end + 1) {
      end = bytes.indexOf(NEWLINE, Math.max(from, end));
      if (end === -1) break;
      lines.push(...take(bytes.subarray(from, end)));
    }
    rest = bytes.subarray(from);
    yield lines;
  }
  return take(rest);
}

/** Parses a line as JSON. Returns nothing for a blank line. */
function parseLine(number: number, bytes: Buffer): Line[] {
  const text = bytes.toString("utf8", 0, MAX_LINE_BYTES).replace(/^\uFEFF|\r$/g, "");
  if (text.trim() === "") return [];
  const kind = /^\s*\[/.test(text) ? "not an event, and " : "";
  if (bytes.length > MAX_LINE_BYTES) return [{ number, text, reason: `${kind}longer than ${MAX_LINE_BYTES} bytes` }];
  if (!isUtf8(bytes)) return [{ number, text, reason: "not UTF-8" }];
  try {
    const value = JSON.parse(text);
    const integer = LARGE_INTEGER.test(text) ? inexactIn(text) : undefined;
    if (integer === undefined) return [{ number, text, value }];
    return [{ number, text, reason: `the number ${integer} would be rounded; write it as a string` }];
  } catch (error) {
    if (error instanceof RangeError) return [{ number, text, reason: "nested too deeply" }];
    // The parser counts lines as well, and always says 1.
    return [{ number, text, reason: `not JSON: ${(error as Error).message.replace(/ \(line 1 .*\)$/, "")}` }];
  }
}

/** Matches integers that JavaScript may be unable to represent exactly. */
const LARGE_INTEGER = /\d{16}/;
