import { stat } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeAccount, writeUsage } from "./account.ts";
import { progressLine } from "./terminal.ts";
import { ingestOnly, type OnProgress, tour } from "./tour.ts";

const HELP = `A tour of the Billing Service SDK, against the service in memory. Nothing leaves the process.

  npm start                     the whole tour, with examples/usage.jsonl
  npm start -- <file>           ingests a file of your own, two times: one JSON event a line
  npm start --silent -- --json  one JSON object in place of the account, also with a file
  npm start -- --help           this text

Exit code: 0 when no line was rejected, 1 when one was or when the file cannot be read, 2 for wrong usage.`;

const SHIPPED = fileURLToPath(new URL("usage.jsonl", import.meta.url));

/** What the command line asks for. */
interface Request {
  readonly file: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
}

/** A message for the user, and the exit code that goes with it. */
class Failure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

function readCommandLine(): Request {
  try {
    const options = { json: { type: "boolean", default: false }, help: { type: "boolean", default: false } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length > 1) throw new Error(`One file at a time, not ${positionals.length}.`);
    return { ...values, file: positionals[0] };
  } catch (error) {
    const [sentence] = (error as Error).message.split(/(?<=\.) /);
    throw new Failure(`${sentence} Try: npm start -- --help`, 2);
  }
}

/** Finds a file, and gives the shortest path to it. */
async function findFile(name: string): Promise<string> {
  const file = resolve(name);
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(error.code === "ENOENT" ? `File not found: ${file}.` : error.message, 1);
  });
  if (!found.isFile()) throw new Failure(`${file} is ${found.isDirectory() ? "a directory" : "no regular file"}.`, 1);
  const short = relative("", file);
  return short.startsWith("..") ? file : short;
}

/** Goes round, and gives the text to print and the exit code. */
async function run({ file, json }: Request, onProgress: OnProgress): Promise<{ text: string; exitCode: number }> {
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
