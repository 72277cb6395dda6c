import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeAccount } from "./account.ts";
import { ingestFile } from "./ingest-file.ts";
import { tour } from "./tour.ts";

const HELP = `A tour of the Billing Service SDK with the mock, entirely in this process.

  npm start                     Run the tour with examples/usage.jsonl
  npm start -- <file>           Ingest your own file with npx @billing-service/sdk ingest; one JSON event per line
  npm start --silent -- --json  Print one JSON object; also works with a file
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
    return { ...values, file: positionals[0] };
  } catch (error) {
    const [sentence] = (error as Error).message.split(/(?<=\.) /);
    throw new UsageError(`${sentence} Try: npm start -- --help`);
  }
}

async function main(): Promise<number> {
  const { help, file, json } = readCommandLine();
  if (file !== undefined && !help) return ingestFile(file, json ? ["--json"] : []);
  console.log(help ? HELP : await runTour(json));
  return 0;
}

/** Runs the tour, and returns its output. */
async function runTour(json: boolean): Promise<string> {
  const account = await tour(relative("", SHIPPED));
  return json ? JSON.stringify(account, undefined, 2) : writeAccount(account);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
