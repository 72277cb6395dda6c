import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { getSystemErrorMessage } from "node:util";
import { UsageError } from "./arguments.ts";

/** Explains why a file cannot be read or written, in a few words. */
export function explainFileError(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  return errno === undefined ? message : getSystemErrorMessage(errno);
}

/** Returns a function's result. The error of a file becomes a UsageError that begins with what the user typed. */
export function explainingFile<Result>(argument: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw new UsageError(`${argument}: ${explainFileError(error)}.`);
  }
}

/** Detects an encoding by its first bytes: PowerShell 5 and spreadsheets write UTF-16. */
export function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second) ? "utf-16be" : "utf-8";
}

/**
 * Reads a file in UTF-8 or UTF-16, or stdin for `-`, without a byte order mark.
 *
 * @param argument The option and the path, as they were typed.
 * @throws UsageError when the file cannot be read, or is in another encoding.
 */
export async function readText(argument: string, path: string, stdin: Readable): Promise<string> {
  const bytes = await (path === "-" ? buffer(stdin) : readFile(path)).catch((error: unknown) => {
    throw new UsageError(`${argument}: ${explainFileError(error)}.`);
  });
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const encoding = "the encoding is neither UTF-8 nor UTF-16; save it as UTF-8";
    throw new UsageError(`${argument}: ${isGzip ? "compressed with gzip; decompress it first" : encoding}.`);
  }
}

/** Maximum number of an integer's digits in a message. */
const MAX_DIGITS = 40;

/**
 * Returns the first integer in a JSON text that JavaScript cannot represent exactly (RFC 8259, section 6). Skips
 * numbers with a fraction or an exponent, which every program reads as floating-point numbers.
 */
export function inexactIn(text: string): string | undefined {
  // Shorter integers are exact.
  if (!/\d{16}/.test(text)) return undefined;
  let found: string | undefined;
  JSON.parse(text, (_key, value: unknown, context?: { readonly source: string }) => {
    const source = context?.source ?? "";
    const isInteger = typeof value === "number" && /^-?\d+$/.test(source);
    const isExact = isInteger && Number.isFinite(value) && BigInt(value) === BigInt(source);
    if (isInteger && !isExact) found ??= source.length > MAX_DIGITS ? `${source.slice(0, MAX_DIGITS)}…` : source;
    return value;
  });
  return found;
}
