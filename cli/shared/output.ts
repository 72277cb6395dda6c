import { styleText } from "node:util";
import { asError } from "../../src/values/describe.ts";

/** A string to print, optionally with a style, which applies if stdout is a terminal with colors. `NO_COLOR` disables it. */
export type Part = string | readonly [style: Parameters<typeof styleText>[0], text: string];

/** The characters that control a terminal or change a string's direction. */
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Returns a string in one line, with its control characters written as in JSON. Use it for what other people wrote: the
 * message of a server, the name of a file.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(CONTROL, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Prints to stdout, and escapes control characters other than line feeds. Returns false if nobody reads stdout any longer, for
 * example in `billing … | true`.
 *
 * @throws Error when stdout cannot be written, for example because the disk is full.
 */
export function print(...parts: readonly Part[]): Promise<boolean> {
  const text = parts.map((part) => {
    const [style, plain] = typeof part === "string" ? [undefined, part] : part;
    const safe = plain.split("\n").map(escapeControls).join("\n");
    return style === undefined ? safe : styleText(style, safe, { stream: process.stdout });
  });
  return new Promise((resolve, reject) => {
    process.stdout.write(text.join(""), (error) => {
      const { code } = (error ?? {}) as NodeJS.ErrnoException;
      const isClosed = code === "EPIPE" || (code === "EIO" && process.stdout.isTTY);
      if (!error || isClosed) resolve(!error);
      else reject(new Error(`cannot write to stdout: ${code === "ENOSPC" ? "the disk is full" : code}.`));
    });
  });
}

/** Prints a message as one line on stderr, after the name of the command. */
export function warn(command: string, message: string): void {
  const name = styleText("red", `${command}:`, { stream: process.stderr });
  process.stderr.write(`${name} ${escapeControls(message.replaceAll("\n", " "))}\n`);
}

/** Returns the message of an error, with the message of its cause where it advises a program to look at `cause`. */
export function fullMessage({ message, cause }: Pick<Error, "message" | "cause">): string {
  return message.replace("; see `cause`", () => `: ${asError(cause).message}`);
}

/** Runs a command, and sets its exit code. Prints its error as one line on stderr. */
export async function runCommand(name: string, run: () => Promise<number | undefined>): Promise<void> {
  // `print` and `warn` report that a stream cannot be written; without a listener, Node.js would end with a stack trace.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  try {
    process.exitCode = await run();
  } catch (error) {
    warn(name, (error as Error).message);
    // Each command is built into a file of its own, with its own class.
    process.exitCode = (error as Error).name === "UsageError" ? 2 : 1;
  }
}

/** The exit codes that commands return. An error ends the process with 1, invalid arguments with 2. */
export const EXIT_CODE = {
  success: 0,
  /** The command ended, but some lines were rejected, a delivery failed or is not valid, or a rule does not hold. */
  rejected: 3,
  /** Ctrl+C: 128 and the number of SIGINT. */
  interrupted: 130,
} as const;
