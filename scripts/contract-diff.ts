// Prints the differences between two contracts: `npm run contract:diff -- <before> <after> [--json]`. Each is a version of
// the package or the path of an OpenAPI document.

import { countDifferences, diffContracts, formatText } from "../src/contract-diff/index.ts";
import { parseOptions } from "../terminal/parse-options.ts";
import { runCommand } from "../terminal/run-command.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { readContract } from "./contract-diff/read-contract.ts";

const COMMAND = "contract:diff";
const OPTIONS = { json: { type: "boolean" } } as const;

await runCommand(COMMAND, () => {
  const { values, positionals } = parseOptions(process.argv.slice(2), {
    command: COMMAND,
    options: OPTIONS,
    allowPositionals: true,
  });
  const [before, after, ...others] = positionals;
  if (before === undefined || after === undefined || others.length > 0)
    throw new UsageError(`expected two versions, such as 2024-10 2025-01; received ${counted(positionals)}.`);
  print(before, after, values.json ?? false);
});

function print(before: string, after: string, isJson: boolean): void {
  const differences = diffContracts(readContract(before), readContract(after));
  const text =
    differences.length === 0
      ? `${before} and ${after} have the same contract.\n`
      : `${before} to ${after}: ${countDifferences(differences)}\n\n${formatText(differences)}`;
  const json = { before, after, breaking: differences.some(({ breaking }) => breaking), differences };
  process.stdout.write(isJson ? `${JSON.stringify(json)}\n` : text);
}

function counted({ length }: readonly string[]): string {
  return length === 1 ? "1 argument" : `${length} arguments`;
}
