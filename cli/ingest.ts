import { scryptSync } from "node:crypto";
import { styleText } from "node:util";
import { readBaseUrl } from "../src/client/settings.ts";
import { isApiError, isInvalidInputError } from "../src/errors/index.ts";
import type { BatchRetry, UsageClient } from "../src/usage/index.ts";
import { Ingestion, type IngestionState } from "./ingest/ingestion.ts";
import {
  CURRENT,
  type EnvironmentVariables,
  type PackagedVersion,
  parseOptions,
  readInteger,
  readVersion,
  UsageError,
  type Values,
} from "./shared/arguments.ts";
import { EXIT_CODE, type Part, print, warn } from "./shared/output.ts";

const NAME = "billing ingest";
const TOKEN_VARIABLE = "BILLING_TOKEN";
const DEFAULT_RETRY_FOR = 600;
const MAX_RETRY_FOR = 1_000_000;
const DEFAULT_CONCURRENCY = 4;
/** In milliseconds, as the times below. */
const WARN_EVERY = 10_000;
const STOP_GRACE = 5_000;
const UPDATE_EVERY = 100;
const BAR_WIDTH = 24;

/** The output of `billing ingest --help`. */
export const help = `billing ingest: send a file of usage events

Usage:
  $ ${TOKEN_VARIABLE}=… billing ingest usage.jsonl [options]
  $ … | ${TOKEN_VARIABLE}=… billing ingest -

Input: JSON lines (one event per line), also gzip; - reads stdin.

Service:
      --base-url <url>       Base URL of the service (default: production)
      --version <YYYY-MM>    API version (default: ${CURRENT})

Sending:
      --concurrency <count>  Maximum number of concurrent requests (default: ${DEFAULT_CONCURRENCY})
      --retry-for <seconds>  Give up after this long without a successful request (default: ${DEFAULT_RETRY_FOR})
      --restart              Send every line instead of continuing an earlier run

Output:
      --json                 Print the result as one line of JSON

  -h, --help                 Print this help

Rejected lines are written to usage.jsonl.rejected.jsonl, next to the input, with their number and the reason.

After Ctrl+C or a crash, run the same command again: no event of a file is stored twice, because each line has
the same external_id in every run. Until a file is complete, usage.jsonl.progress saves where to continue;
it stays if lines were appended to the file after the first run had started.
Ctrl+C waits up to ${STOP_GRACE / 1000} seconds for active requests.

Exit codes: 0 every line is stored, 1 failed (run again to continue), 2 invalid arguments or a changed file,
            3 complete, but some lines were rejected, 130 interrupted (run again to continue)
`;

const OPTIONS = {
  version: { type: "string" },
  "base-url": { type: "string" },
  concurrency: { type: "string" },
  "retry-for": { type: "string" },
  restart: { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** Runs `billing ingest`. */
export async function run(args: readonly string[], env: EnvironmentVariables): Promise<number> {
  const { values, positionals } = parseOptions(NAME, OPTIONS, args, 1);
  const [path] = positionals;
  if (path === undefined) throw new UsageError("no file given; pass its path, or - for stdin.");
  const bar = new ProgressBar();
  const ingestion = await createIngestion(path, values, env, bar);
  return send(ingestion, bar, (outcome) => report(outcome, ingestion, values.json));
}

async function createIngestion(
  path: string,
  values: Values<typeof OPTIONS>,
  env: EnvironmentVariables,
  bar: ProgressBar,
): Promise<Ingestion> {
  const version = readVersion("--version", values.version) ?? CURRENT;
  const seconds = readInteger("--retry-for", values["retry-for"], 0, MAX_RETRY_FOR) ?? DEFAULT_RETRY_FOR;
  const ingestion: Ingestion = new Ingestion({
    path,
    ...(await connect(version, values["base-url"], env)),
    concurrency: readInteger("--concurrency", values.concurrency, 1, 100) ?? DEFAULT_CONCURRENCY,
    retryFor: seconds * 1000,
    restart: values.restart ?? false,
    onProgress: () => bar.update(ingestion.state, ingestion.fractionRead()),
    onRetry: createWarning(bar),
  });
  return ingestion;
}

/** Creates the client of a version, and identifies its target by a hash that is slow, so that no token can be guessed from it. */
async function connect(version: PackagedVersion, url: string | undefined, env: EnvironmentVariables) {
  const accessToken = env[TOKEN_VARIABLE];
  if (!accessToken) {
    throw new UsageError(`${TOKEN_VARIABLE} is not set. Set it to an access token with the scope events:write.`);
  }
  const options = { accessToken, ...(url === undefined ? {} : { baseUrl: url }) };
  try {
    const { createClient } = await import(`../versions/${version}/index.ts`);
    const client: UsageClient = createClient(options);
    const target = scryptSync(accessToken, readBaseUrl(options), 16).toString("hex");
    return { client, target };
  } catch (error) {
    throw isInvalidInputError(error) ? new UsageError(namedAsTyped(error.message)) : error;
  }
}

/** Replaces the name of an option of the client by the name that the user typed. */
function namedAsTyped(message: string): string {
  return message
    .replace(/^createClient: /, "")
    .replace(/^baseUrl\b/, "--base-url")
    .replace(/^accessToken\b/, TOKEN_VARIABLE);
}

/** Returns a function that prints why the command waits, at most every ten seconds. */
function createWarning(bar: ProgressBar): (retry: BatchRetry) => void {
  let last = Number.NEGATIVE_INFINITY;
  return ({ error }) => {
    if (performance.now() - last < WARN_EVERY) return;
    last = performance.now();
    bar.clear();
    warn(NAME, `a request failed and will be retried: ${messageOf(error)}`);
  };
}

type Outcome = "completed" | "interrupted" | "failed";

async function send(ingestion: Ingestion, bar: ProgressBar, end: (outcome: Outcome) => Promise<void>): Promise<number> {
  const endWatch = stopOnSignal(ingestion, bar);
  try {
    const isComplete = await ingestion.run();
    bar.clear();
    await end(isComplete ? "completed" : "interrupted");
    if (!isComplete) return EXIT_CODE.interrupted;
    return ingestion.state.rejected_file === null ? EXIT_CODE.success : EXIT_CODE.rejected;
  } catch (error) {
    bar.clear();
    if (!(error instanceof UsageError)) await end("failed");
    throw explain(error);
  } finally {
    endWatch();
  }
}

/** Stops reading on SIGINT (Ctrl+C) or SIGTERM. A second signal, or the end of the grace time, cancels the requests in flight. */
function stopOnSignal(ingestion: Ingestion, bar: ProgressBar): () => void {
  let timer: NodeJS.Timeout | undefined;
  const onSignal = (): void => {
    if (timer !== undefined) {
      ingestion.cancel();
      return;
    }
    timer = setTimeout(() => ingestion.cancel(), STOP_GRACE);
    bar.clear();
    warn(NAME, "waiting for active requests; press Ctrl+C again to cancel them.");
    ingestion.stop();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return () => {
    clearTimeout(timer);
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  };
}

function explain(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UsageError) return error;
  const isAboutToken = isApiError(error) && (error.status === 401 || error.status === 403);
  const message = messageOf(error);
  return new Error(isAboutToken ? `${message.replace(/\.?$/, ".")} Check ${TOKEN_VARIABLE}.` : message);
}

/** The advice of the client about a placeholder, which names its options. */
const CLIENT_ADVICE = /set `baseUrl`, or use the mock \([^)]*\)/;
const ADVICE = "set --base-url, for example to a mock started with npx @billing-service/sdk mock";

/** Returns an error's message, naming the command's option instead of the client's. */
function messageOf({ message }: Error): string {
  return message.replace(CLIENT_ADVICE, ADVICE);
}

async function report(outcome: Outcome, { state, isResumable }: Ingestion, json = false): Promise<void> {
  if (json) await print(`${JSON.stringify({ outcome, ...state })}\n`);
  else await print(...formatReport(outcome, state, isResumable));
}

function formatReport(outcome: Outcome, state: IngestionState, isResumable: boolean): Part[] {
  const { resumed_after_line, inserted, duplicates, rejected, rejected_file, without_external_id } = state;
  const again = "ingesting this input again stores them again";
  const lines = [
    ...(rejected_file === null ? [] : [`Rejected lines, with reasons: ${rejected_file}`]),
    ...(outcome === "completed"
      ? []
      : [`${outcome === "interrupted" ? "Interrupted" : "Not complete"}. ${NEXT[`${isResumable}`]}`]),
    ...(without_external_id > 0 ? [`Events without an external_id: ${count(without_external_id)}; ${again}.`] : []),
  ];
  const stored = `${count(inserted)} inserted`;
  const failed = `${count(rejected)} rejected`;
  return [
    resumed_after_line > 0 ? `Continued after line ${count(resumed_after_line)}. In this run:\n` : "",
    inserted > 0 ? ["green", stored] : stored,
    `, ${count(duplicates)} ${duplicates === 1 ? "duplicate" : "duplicates"}, `,
    rejected > 0 ? ["red", failed] : failed,
    ...lines.map((line) => `\n${line}`),
    "\n",
  ];
}

const NEXT = {
  true: "The progress is saved: run the same command again to continue.",
  false:
    "Stdin, a pipe and a device have no saved progress: if you send the input again, events with an external_id count as duplicates.",
};

function count(number: number): string {
  return number.toLocaleString("en");
}

/** A line on a terminal that shows the progress. Without a terminal, it shows nothing. Stdout is for the result. */
class ProgressBar {
  readonly #started: number = performance.now();
  #shown = Number.NEGATIVE_INFINITY;

  /** Shows a state. `fraction` is the part of the file that was read, undefined for other inputs. */
  update({ inserted, duplicates, rejected }: IngestionState, fraction: number | undefined): void {
    const now = performance.now();
    if (!process.stderr.isTTY || now - this.#shown < UPDATE_EVERY) return;
    this.#shown = now;
    const stored = inserted + duplicates;
    const speed = Math.round((stored * 1000) / Math.max(now - this.#started, 1));
    const numbers = `${count(stored)} events, ${count(speed)}/s${rejected > 0 ? `, ${count(rejected)} rejected` : ""}`;
    process.stderr.write(`\r\u001b[K${fraction === undefined ? "" : barOf(fraction)}${numbers}`);
  }

  /** Removes the bar, so that another line can be printed. */
  clear(): void {
    if (this.#shown > 0) process.stderr.write("\r\u001b[K");
    this.#shown = Number.NEGATIVE_INFINITY;
  }
}

function barOf(fraction: number): string {
  const done = Math.round(fraction * BAR_WIDTH);
  const bar = styleText("green", "█".repeat(done), { stream: process.stderr }) + "░".repeat(BAR_WIDTH - done);
  return `${bar} ${Math.floor(fraction * 100)}%  `;
}
