import { styleText } from "node:util";
import { readArguments } from "./arguments.ts";
import { UsageError } from "./failure.ts";
import { help } from "./help.ts";
import { run } from "./run.ts";
import { version } from "./version.ts";

/** Runs the command; what goes wrong is told in one line. */
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
