import { styleText } from "node:util";
import { help } from "./help.ts";
import { readArguments } from "./read-arguments.ts";
import { run } from "./run.ts";
import { UsageError } from "./usage-error.ts";
import { version } from "./version.ts";

/** Runs the command. Prints any error as one line on stderr, and sets the exit code. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    const command = readArguments(args, process.env);
    if (command.does === "help") process.stdout.write(help);
    else if (command.does === "version") process.stdout.write(`${version()}\n`);
    else await run(command);
  } catch (error) {
    const { message } = error as Error;
    const name = styleText("red", "billing-mock:", { stream: process.stderr });
    process.stderr.write(`${name} ${message.replaceAll("\n", " ")}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
