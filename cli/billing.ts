#!/usr/bin/env node
import manifest from "../package.json" with { type: "json" };
import { closestName } from "../src/values/closest-name.ts";
import { type EnvironmentVariables, parseOptions, UsageError } from "./shared/arguments.ts";
import { print, runCommand } from "./shared/output.ts";

/** A command, whose file is loaded only when it runs. */
interface Command {
  /** The output of `--help`. */
  readonly help: string;
  /**
   * Runs the command, and returns its exit code; undefined if it goes on.
   *
   * @throws UsageError when an argument is invalid.
   */
  run(args: readonly string[], env: EnvironmentVariables): Promise<number | undefined>;
}

const COMMANDS: Readonly<Record<string, readonly [summary: string, load: () => Promise<Command>]>> = {
  mock: ["Run a mock of the Billing Service API", () => import("./mock.ts")],
  ingest: ["Send a file of usage events", () => import("./ingest.ts")],
  trigger: ["Make a running mock emit a webhook event", () => import("./trigger.ts")],
  verify: ["Find out why a webhook delivery is rejected", () => import("./verify.ts")],
  conformance: ["Check a service against the rules of the specification", () => import("./conformance.ts")],
  upgrade: ["Move a project to another API version", () => import("./upgrade.ts")],
};

const names = Object.keys(COMMANDS);

const help = `billing: run a mock of the Billing Service API, send usage events, test webhooks, check a service

Usage:
  $ billing <command> [options]

Commands:
${Object.entries(COMMANDS)
  .map(([name, [summary]]) => `  ${name.padEnd(13)}${summary}`)
  .join("\n")}

Options:
  -h, --help     Print this help; after a command, its options
  -v, --version  Print the version of the package
`;

const OPTIONS = { help: { type: "boolean", short: "h" }, version: { type: "boolean", short: "v" } } as const;

async function run([name = "", ...args]: readonly string[]): Promise<number | undefined> {
  const command = Object.hasOwn(COMMANDS, name) ? await COMMANDS[name]?.[1]() : undefined;
  if (command === undefined) return runWithoutCommand(name === "" ? [] : [name, ...args]);
  if (!args.includes("--help") && !args.includes("-h")) return command.run(args, process.env);
  await print(command.help);
  return 0;
}

async function runWithoutCommand(args: readonly string[]): Promise<number> {
  const [name] = args;
  if (name !== undefined && !name.startsWith("-")) throw unknownCommand(name);
  const { values } = parseOptions("billing", OPTIONS, args);
  if (!values.version && !values.help) throw new UsageError("no command given; see billing --help.");
  await print(values.version ? `${manifest.version}\n` : help);
  return 0;
}

function unknownCommand(name: string): UsageError {
  const meant = closestName(name, names);
  const hint = meant === undefined ? `; expected one of: ${names.join(", ")}.` : `. Did you mean '${meant}'?`;
  return new UsageError(`Unknown command '${name}'${hint}`);
}

const args = process.argv.slice(2);
await runCommand(names.includes(args[0] ?? "") ? `billing ${args[0]}` : "billing", () => run(args));
