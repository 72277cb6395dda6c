import type { RawLine } from "./split-lines.ts";

/** The maximum length of a line, in bytes: the maximum size of a request (G-BODY-MAX). */
export const MAX_LINE_BYTES: number = 10 * 1024 * 1024;

/** A line that is not blank, with its value or the reason why it has none. */
export type ParsedLine = { readonly text: string } & ({ readonly value: unknown } | { readonly reason: string });

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses a line as JSON; undefined for a blank line. */
export function parseLine({ bytes, isTooLong }: RawLine): ParsedLine | undefined {
  const text = bytes
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .replace(/\r$/, "");
  if (text.trim() === "") return undefined;
  if (isTooLong) return { text, reason: `longer than ${MAX_LINE_BYTES} bytes` };
  try {
    return { text, value: JSON.parse(text.includes("\uFFFD") ? strictUtf8.decode(bytes) : text) };
  } catch (error) {
    return { text, reason: error instanceof SyntaxError ? `not JSON: ${withColumn(error.message)}` : "not UTF-8" };
  }
}

/** Removes the line number of the parser, which is always 1. */
function withColumn(message: string): string {
  return message.replace(/ at position \d+ \(line 1 column (\d+)\)$/, ", column $1");
}
