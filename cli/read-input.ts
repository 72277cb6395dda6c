import { createReadStream } from "node:fs";
import { explainFileError } from "../terminal/read-file.ts";
import { UsageError } from "../terminal/usage-error.ts";

/**
 * Reads a file, or stdin for `-`, up to a number of bytes.
 *
 * @throws UsageError when it cannot be read or is longer.
 */
export async function readInput(path: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of path === "-" ? process.stdin : createReadStream(path)) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length > maxBytes) break;
    }
  } catch (error) {
    throw new UsageError(`${path}: ${explainFileError(error)}.`);
  }
  if (length <= maxBytes) return Buffer.concat(chunks);
  throw new UsageError(
    `${nameOfInput(path)} is longer than ${maxBytes} bytes. Does it contain more than one delivery?`,
  );
}

/** Returns the name of an input for messages. */
export function nameOfInput(path: string): string {
  return path === "-" ? "stdin" : path;
}
