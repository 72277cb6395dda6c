import type { Readable, Writable } from "node:stream";
import { asError } from "../../src/values/describe.ts";

/** The environment variables of a command. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** What a command reads and writes: the streams of the process or of a test. */
export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** The exit codes that commands return. An error ends the process with 1, invalid arguments with 2. */
export const EXIT_CODE = {
  success: 0,
  failed: 1,
  invalid: 2,
  /** The command ended, but some lines were rejected, a delivery failed or is not valid, or a rule does not hold. */
  rejected: 3,
  /** Ctrl+C: 128 and the number of SIGINT. */
  interrupted: 130,
} as const;

/** The characters that control a terminal or change a string's direction. */
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The time between two lines of progress, in milliseconds. */
const PROGRESS_EVERY = 10_000;

/**
 * Returns a string in one line, with its control characters written as in JSON. Use it for what other people wrote: the
 * message of a server, the name of a file.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(CONTROL, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Returns the message of an error, with that of its cause. */
export function messageOf(error: unknown): string {
  const { message, cause } = asError(error);
  return cause instanceof Error && !message.includes(cause.message) ? `${message}: ${cause.message}` : message;
}

/** Where a command prints: results to stdout, everything else to stderr. */
export class Terminal {
  readonly streams: Streams;
  readonly #name: string;
  #reported = performance.now();

  /** @param name The command's name, which stands in front of its messages. */
  constructor(name: string, streams: Streams) {
    this.#name = name;
    this.streams = streams;
  }

  /**
   * Prints to stdout, and escapes control characters other than line feeds. Returns false if nobody reads stdout any longer, for
   * example in `billing … | true`.
   *
   * @throws Error when stdout cannot be written, for example because the disk is full.
   */
  print(text: string): Promise<boolean> {
    const { stdout } = this.streams;
    const safe = text.split("\n").map(escapeControls).join("\n");
    return new Promise((resolve, reject) => {
      stdout.write(safe, (error) => {
        const { code } = (error ?? {}) as NodeJS.ErrnoException;
        if (!error || code === "EPIPE") resolve(!error);
        else reject(new Error(`cannot write to stdout: ${error.message}.`));
      });
    });
  }

  /** Prints a value as one line of JSON. */
  printJson(value: unknown): Promise<boolean> {
    return this.print(`${JSON.stringify(value)}\n`);
  }

  /** Prints a message as one line on stderr, after the name of the command. */
  warn(message: string): void {
    this.streams.stderr.write(`${this.#name}: ${escapeControls(message.replaceAll("\n", " "))}\n`);
  }

  /** Reports progress as a line every ten seconds. */
  reportProgress(text: string): void {
    const now = performance.now();
    if (now - this.#reported < PROGRESS_EVERY) return;
    this.warn(text);
    this.#reported = now;
  }
}

/** Calls a function on each of these signals, until the returned function is called. */
export function onSignals(signals: readonly NodeJS.Signals[], call: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of signals) process.on(signal, call);
  return () => {
    for (const signal of signals) process.off(signal, call);
  };
}

/** Runs a command, and returns its exit code. Prints its error as one line on stderr. */
export async function runCommand(terminal: Terminal, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    terminal.warn((error as Error).message);
    // Each command is built into a file of its own, with its own class.
    return (error as Error).name === "UsageError" ? EXIT_CODE.invalid : EXIT_CODE.failed;
  }
}
