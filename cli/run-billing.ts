import { closestName } from "../src/errors/closest-name.ts";
import { print } from "../terminal/output.ts";
import { parseOptions } from "../terminal/parse-options.ts";
import { runCommand } from "../terminal/run-command.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { version } from "../terminal/version.ts";
import { ingest } from "./commands/ingest.ts";
import { trigger } from "./commands/trigger.ts";
import { upgrade } from "./commands/upgrade.ts";
import { verify } from "./commands/verify.ts";
import { helpOf } from "./help.ts";
import type { NamedCommand } from "./named-command.ts";

const COMMANDS: readonly NamedCommand[] = [ingest, trigger, upgrade, verify];

const OPTIONS = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

/** Runs `billing`. Prints any error as one line on stderr, and sets the exit code. */
export async function runBilling(args: readonly string[]): Promise<void> {
  const [name] = args;
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) await runCommand("billing", () => runWithoutCommand(args));
  else await runCommand(`billing ${command.name}`, () => runNamed(command, args.slice(1)));
}

async function runNamed(command: NamedCommand, args: readonly string[]): Promise<void> {
  const isHelp = args.includes("--help") || args.includes("-h");
  if (isHelp) await print(command.help);
  else process.exitCode = await command.run(args, process.env);
}

async function runWithoutCommand(args: readonly string[]): Promise<void> {
  const [name] = args;
  if (name !== undefined && !name.startsWith("-")) throw unknownCommand(name);
  const { values } = parseOptions(args, { command: "billing", options: OPTIONS });
  if (values.version) await print(`${version()}\n`);
  else if (values.help) await print(helpOf(COMMANDS));
  else throw new UsageError("no command given; see billing --help.");
}

function unknownCommand(name: string): UsageError {
  const names = COMMANDS.map((command) => command.name);
  const meant = closestName(name, names);
  const hint = meant === undefined ? `; expected one of: ${names.join(", ")}.` : `. Did you mean '${meant}'?`;
  return new UsageError(`Unknown command '${name}'${hint}`);
}
