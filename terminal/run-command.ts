import { styleText } from "node:util";
import { UsageError } from "./usage-error.ts";

/** Runs a command. Prints its error as one line on stderr, and sets the exit code: 2 for a `UsageError`, otherwise 1. */
export async function runCommand(command: string, run: () => Promise<void> | void): Promise<void> {
  try {
    await run();
  } catch (error) {
    const { message } = error as Error;
    const name = styleText("red", `${command}:`, { stream: process.stderr });
    process.stderr.write(`${name} ${message.replaceAll("\n", " ")}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
