import type { NamedCommand } from "./named-command.ts";

const COLUMN = 10;

/** Returns the output of `billing --help`. */
export function helpOf(commands: readonly NamedCommand[]): string {
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(COLUMN)}${summary}`);
  return `billing: send usage events, test webhooks and change the version of the Billing Service API

Usage:
  $ billing <command> [options]

Commands:
${list.join("\n")}

Options:
  -h, --help     Print this help; after a command, its options
  -v, --version  Print the version of the package

To run a mock of the service, see billing-mock --help.
`;
}
