import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ingestFile } from "./ingest-file.ts";
import { tour } from "./tour.ts";

const HELP = `A tour of the Billing Service SDK with the mock, entirely in this process.

  npm start                     Run the tour with examples/usage.jsonl
  npm start -- <file>           Ingest your own file with npx @billing-service/sdk ingest; one JSON event per line
  npm start -- <file> --json    Print the counts of the ingested file as one JSON object
  npm start -- --help           Print this help

Exit codes: 0 success, 1 failed, 2 invalid arguments, 3 a line was rejected`;

const SHIPPED = fileURLToPath(new URL("usage.jsonl", import.meta.url));

/** The parsed arguments. */
interface Arguments {
  readonly file: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
}

/** Invalid arguments. */
class UsageError extends Error {}

function readCommandLine(): Arguments {
  try {
    const options = { json: { type: "boolean", default: false }, help: { type: "boolean", default: false } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length > 1) throw new Error(`Expected one file; received ${positionals.length}.`);
    if (values.json && positionals.length === 0) throw new Error("--json needs a file.");
    return { ...values, file: positionals[0] };
  } catch (error) {
    const [sentence] = (error as Error).message.split(/(?<=\.) /);
    throw new UsageError(`${sentence} Try: npm start -- --help`);
  }
}

async function main(): Promise<number> {
  const { help, file, json } = readCommandLine();
  if (help) console.log(HELP);
  else if (file !== undefined) return ingestFile(file, json ? ["--json"] : []);
  else await tour(relative("", SHIPPED));
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
