import { readFileSync, statSync } from "node:fs";
import { explainFileError } from "../../terminal/read-file.ts";

/** The size of the largest file that is read, in bytes. */
const MAX_SIZE = 5 * 1024 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a file as a string, including its byte order mark. Returns undefined if it is too large to be
 * written by a person, or not UTF-8.
 *
 * @throws Error when the file cannot be read.
 */
export function readProgram(path: string): string | undefined {
  try {
    return statSync(path).size > MAX_SIZE ? undefined : decode(readFileSync(path));
  } catch (error) {
    throw new Error(`${path}: ${explainFileError(error)}. The command changed no files.`);
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
