import { createReadStream, statSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { explainFileError } from "../../terminal/read-file.ts";
import { UsageError } from "../../terminal/usage-error.ts";

/** The input of `billing ingest`. */
export interface Input {
  /** The bytes, decompressed if they are gzip. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Returns the part of the file that was read, from 0 to 1; undefined for stdin. */
  fractionRead(): number | undefined;
  /** Ends reading. */
  close(): void;
}

/**
 * Opens a file, or stdin for `-`.
 *
 * @throws UsageError when the file cannot be read.
 */
export function openInput(path: string): Input {
  if (path === "-") return inputOf(process.stdin, () => undefined);
  const size = sizeOf(path);
  const file = createReadStream(path);
  return inputOf(file, () => (size === 0 ? 1 : Math.min(1, file.bytesRead / size)));
}

function sizeOf(path: string): number {
  try {
    const stats = statSync(path);
    if (!stats.isDirectory()) return stats.size;
  } catch (error) {
    throw new UsageError(`${path}: ${explainFileError(error)}.`);
  }
  throw new UsageError(`${path}: this is a folder.`);
}

function inputOf(source: Readable, fractionRead: Input["fractionRead"]): Input {
  return { chunks: decompressed(source), fractionRead, close: () => void source.destroy() };
}

/** Recognizes gzip by its first two bytes, because stdin has no file name. */
async function* decompressed(source: Readable): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let start = Buffer.alloc(0);
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    start = Buffer.concat([start, next.value]);
    if (start.length >= 2) break;
  }
  const all = withStart(start, chunks);
  if (start.length < 2 || start.readUInt16BE() !== 0x1f8b) yield* all;
  else yield* gunzip(all);
}

async function* withStart(start: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield start;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* gunzip(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    // The error of the pipeline also reaches the loop.
    yield* pipeline(Readable.from(chunks), createGunzip(), () => {}) as AsyncIterable<Buffer>;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw code.startsWith("Z_") ? new Error(`the gzip data is incomplete or damaged (${code}).`) : error;
  }
}
