import { handleStreamErrors, warn } from "./output.ts";
import { UsageError } from "./usage-error.ts";

/** Runs a command. Prints its error as one line on stderr, and sets the exit code: 2 for a `UsageError`, otherwise 1. */
export async function runCommand(command: string, run: () => Promise<void> | void): Promise<void> {
  handleStreamErrors();
  try {
    await run();
  } catch (error) {
    warn(command, (error as Error).message);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
