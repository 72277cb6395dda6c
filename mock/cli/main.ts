import { print } from "../../terminal/output.ts";
import { runCommand } from "../../terminal/run-command.ts";
import { version } from "../../terminal/version.ts";
import { help } from "./help.ts";
import { readArguments } from "./read-arguments.ts";
import { run } from "./run.ts";

/** Runs the command. Prints any error as one line on stderr, and sets the exit code. */
export async function main(args: readonly string[]): Promise<void> {
  await runCommand("billing-mock", async () => {
    const command = readArguments(args, process.env);
    if (command.does === "help") await print(help);
    else if (command.does === "version") await print(`${version()}\n`);
    else await run(command);
  });
}
