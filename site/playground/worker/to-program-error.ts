import { MAX_LINE_LENGTH, type ProgramError } from "../protocol.ts";

/** Describes an error that ended a program, with the line of the program that is nearest to its origin. */
export function toProgramError(error: unknown, program: string, urls: ReadonlyMap<string, string>): ProgramError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const line = stack?.split(`${program}:`)[1]?.match(/^\d+/)?.[0];
  const text = withPaths(message, urls).slice(0, MAX_LINE_LENGTH);
  return { name, message: text, ...(line !== undefined && { line: Number(line) }) };
}

/** Replaces URLs of modules with what the program imports. */
function withPaths(message: string, urls: ReadonlyMap<string, string>): string {
  return [...urls].reduce((text, [path, url]) => text.replaceAll(url, path), message);
}
