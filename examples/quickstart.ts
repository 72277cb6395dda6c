import { stat } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeAccount, writeUsage } from "./account.ts";
import { progressLine } from "./terminal.ts";
import { ingestOnly, type OnProgress, tour } from "./tour.ts";

const HELP = `A tour of the Billing Service SDK with the mock, entirely in this process.

  npm start                     Run the tour with examples/usage.jsonl
  npm start -- <file>           Ingest your own file twice; one JSON event per line
  npm start --silent -- --json  Print one JSON object; also works with a file
  npm start -- --help           Print this help

Exit codes: 0 success, 1 a line was rejected or the file cannot be read, 2 invalid arguments`;

const SHIPPED = fileURLToPath(new URL("usage.jsonl", import.meta.url));

/** The parsed arguments. */
interface Arguments {
  readonly file: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
}

/** An error for the user, with its exit code. */
class Failure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

function readCommandLine(): Arguments {
  try {
    const options = { json: { type: "boolean", default: false }, help: { type: "boolean", default: false } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length > 1) throw new Error(`Expected one file; received ${positionals.length}.`);
    return { ...values, file: positionals[0] };
  } catch (error) {
    const [sentence] = (error as Error).message.split(/(?<=\.) /);
    throw new Failure(`${sentence} Try: npm start -- --help`, 2);
  }
}

/** Checks that a file exists, and returns the shortest path to it. */
async function findFile(name: string): Promise<string> {
  const file = resolve(name);
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(error.code === "ENOENT" ? `File not found: ${file}.` : error.message, 1);
  });
  if (!found.isFile())
    throw new Failure(`${file} is ${found.isDirectory() ? "a directory" : "not a regular file"}.`, 1);
  const short = relative("", file);
  return short.startsWith("..") ? file : short;
}

/** Runs the tour, and returns the output and the exit code. */
async function run({ file, json }: Arguments, onProgress: OnProgress): Promise<{ text: string; exitCode: number }> {
  const path = await findFile(file ?? SHIPPED);
  const account = file === undefined ? await tour(path, onProgress) : { usage: await ingestOnly(path, onProgress) };
  const exitCode = account.usage.first.rejected.length > 0 ? 1 : 0;
  if (json) return { text: JSON.stringify(account, undefined, 2), exitCode };
  return { text: "endpoint" in account ? writeAccount(account) : writeUsage(account.usage), exitCode };
}

async function main(): Promise<number> {
  const request = readCommandLine();
  if (request.help) {
    console.log(HELP);
    return 0;
  }
  const progress = progressLine();
  const { text, exitCode } = await run(request, progress.update).finally(progress.clear);
  console.log(text);
  return exitCode;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof Failure ? error.exitCode : 1;
}
