import manifest from "../package.json" with { type: "json" };
import { suggestName } from "../src/values/describe.ts";
import { parseOptions, UsageError } from "./shared/arguments.ts";
import { type EnvironmentVariables, EXIT_CODE, runCommand, type Streams, Terminal } from "./shared/terminal.ts";

/** A command, whose file is loaded only when it runs. */
interface Command {
  /** The output of `--help`. */
  readonly help: string;
  /**
   * Runs the command, and returns its exit code.
   *
   * @throws UsageError when an argument is invalid.
   */
  run(args: readonly string[], env: EnvironmentVariables, terminal: Terminal): Promise<number>;
}

const COMMANDS: Readonly<Record<string, readonly [summary: string, load: () => Promise<Command>]>> = {
  mock: ["Run a mock of the Billing Service API", () => import("./mock.ts")],
  ingest: ["Send a file of usage events", () => import("./ingest.ts")],
  trigger: ["Make a running mock emit a webhook event", () => import("./trigger.ts")],
  verify: ["Find out why a webhook delivery is rejected", () => import("./verify.ts")],
  conformance: ["Check a service against the rules of the specification", () => import("./conformance.ts")],
};

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

/** Runs `billing` with its arguments, and returns the exit code. Errors are printed. */
export function run(args: readonly string[], env: EnvironmentVariables, streams: Streams): Promise<number> {
  const [name = "", ...rest] = args;
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name]?.[1] : undefined;
  const terminal = new Terminal(load === undefined ? "billing" : `billing ${name}`, streams);
  return runCommand(terminal, async () => {
    if (load === undefined) return runWithoutCommand(args, terminal);
    const command = await load();
    if (!rest.includes("--help") && !rest.includes("-h")) return command.run(rest, env, terminal);
    await terminal.print(command.help);
    return EXIT_CODE.success;
  });
}

async function runWithoutCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name] = args;
  if (name !== undefined && !name.startsWith("-"))
    throw new UsageError(`unknown command ${suggestName(name, Object.keys(COMMANDS))}`);
  const { values } = parseOptions(OPTIONS, args);
  if (!values.version && !values.help) throw new UsageError("no command given; see billing --help.");
  await terminal.print(values.version ? `${manifest.version}\n` : help);
  return EXIT_CODE.success;
}
