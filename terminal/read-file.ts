import { readFileSync } from "node:fs";
import { UsageError } from "./usage-error.ts";

/**
 * Reads the file that an option names.
 *
 * @throws UsageError when the file cannot be read.
 */
export function readFile(flag: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${flag} ${path}: ${explainFileError(error)}.`);
  }
}

/** Explains why a file cannot be read or written, in a few words. */
export function explainFileError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? message : (REASONS[code] ?? `cannot be read or written (${code})`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "not found",
  EISDIR: "this is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
};
