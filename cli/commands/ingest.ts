import { isApiError } from "../../src/errors/index.ts";
import type { BatchRetry } from "../../src/usage/index.ts";
import { type ParsedOptions, parseOptions } from "../../terminal/parse-options.ts";
import { readInteger } from "../../terminal/read-integer.ts";
import { UsageError } from "../../terminal/usage-error.ts";
import { EXIT_CODE } from "../exit-code.ts";
import { createUsageClient, TOKEN_VARIABLE } from "../ingest/create-usage-client.ts";
import { formatReport, type IngestOutcome } from "../ingest/format-report.ts";
import { Ingestion } from "../ingest/ingestion.ts";
import { interruptOnSignal, STOP_GRACE } from "../ingest/interrupt-on-signal.ts";
import { ProgressBar } from "../ingest/progress-bar.ts";
import type { EnvironmentVariables, NamedCommand } from "../named-command.ts";
import { CURRENT, readVersion } from "../versions.ts";

const DEFAULT_RETRY_FOR = 600;
const MAX_RETRY_FOR = 1_000_000;
const DEFAULT_CONCURRENCY = 4;
/** In milliseconds. */
const WARN_EVERY = 10_000;

const help = `billing ingest: send a file of usage events

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

Rejected lines are written to usage.rejected.jsonl, next to the input, with their number and the reason.

The progress is saved in usage.jsonl.progress until the file is complete. After Ctrl+C or a crash, run the
same command again to continue; no event is stored twice. Ctrl+C waits up to ${STOP_GRACE / 1000} seconds for active
requests.

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

type Values = ParsedOptions<typeof OPTIONS>["values"];

/** The command `billing ingest`. */
export const ingest: NamedCommand = {
  name: "ingest",
  summary: "Send a file of usage events",
  help,
  run: async (args, env) => {
    const { values, positionals } = parseOptions(args, {
      command: "billing ingest",
      options: OPTIONS,
      allowPositionals: true,
    });
    const path = readPath(positionals);
    const bar = new ProgressBar();
    const ingestion: Ingestion = createIngestion(path, values, env, bar);
    return run(ingestion, bar, (outcome) => printReport(outcome, ingestion, path, values.json));
  },
};

function readPath([path, ...others]: readonly string[]): string {
  if (path === undefined) throw new UsageError("no file given; pass its path, or - for stdin.");
  if (others.length === 0) return path;
  throw new UsageError(`expected one file; received ${others.length + 1}.`);
}

function createIngestion(path: string, values: Values, env: EnvironmentVariables, bar: ProgressBar): Ingestion {
  const version = readVersion(values.version) ?? CURRENT;
  const seconds = readInteger("--retry-for", values["retry-for"], 0, MAX_RETRY_FOR) ?? DEFAULT_RETRY_FOR;
  const ingestion: Ingestion = new Ingestion({
    path,
    client: createUsageClient(version, values["base-url"], env),
    concurrency: readInteger("--concurrency", values.concurrency, 1, 100) ?? DEFAULT_CONCURRENCY,
    retryFor: seconds * 1000,
    restart: values.restart ?? false,
    onProgress: (state) => bar.update(state, ingestion.fractionRead()),
    onRetry: createWarning(bar),
  });
  return ingestion;
}

/** Returns a function that prints why the command waits, at most every ten seconds. */
function createWarning(bar: ProgressBar): (retry: BatchRetry) => void {
  let last = Number.NEGATIVE_INFINITY;
  return ({ error }) => {
    if (performance.now() - last < WARN_EVERY) return;
    last = performance.now();
    bar.clear();
    process.stderr.write(`billing ingest: a request failed and will be retried: ${messageOf(error)}\n`);
  };
}

async function run(ingestion: Ingestion, bar: ProgressBar, report: (outcome: IngestOutcome) => void): Promise<number> {
  const endWatch = interruptOnSignal(ingestion, () => {
    bar.clear();
    process.stderr.write("billing ingest: waiting for active requests; press Ctrl+C again to cancel them.\n");
  });
  try {
    const isComplete = await ingestion.run();
    bar.clear();
    report(isComplete ? "completed" : "interrupted");
    if (!isComplete) return EXIT_CODE.interrupted;
    return ingestion.state.rejected > 0 ? EXIT_CODE.rejected : EXIT_CODE.success;
  } catch (error) {
    bar.clear();
    if (!(error instanceof UsageError)) report("failed");
    throw explain(error);
  } finally {
    endWatch();
  }
}

function explain(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UsageError) return error;
  const isAboutToken = isApiError(error) && (error.status === 401 || error.status === 403);
  const message = messageOf(error);
  return new Error(isAboutToken ? `${message.replace(/\.?$/, ".")} Check ${TOKEN_VARIABLE}.` : message);
}

/** The advice of the client about a placeholder, which names its options. */
const CLIENT_ADVICE = /set `baseUrl`, or use the mock \([^)]*\)/;
const ADVICE = "set --base-url, for example to a mock started with npx billing-mock";

/** Returns the message of an error in one line, with the option of the command instead of those of the client. */
function messageOf({ message }: Error): string {
  return message.replaceAll("\n", " ").replace(CLIENT_ADVICE, ADVICE);
}

function printReport(outcome: IngestOutcome, { state }: Ingestion, path: string, json = false): void {
  process.stdout.write(json ? `${JSON.stringify({ outcome, ...state })}\n` : formatReport(outcome, state, path));
}
