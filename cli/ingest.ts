import { scryptSync } from "node:crypto";
import { isApiError, isInvalidInputError } from "../src/errors/index.ts";
import type { UsageClient } from "../src/usage/index.ts";
import { Ingestion, type IngestionState } from "./ingest/ingestion.ts";
import { Input } from "./ingest/input.ts";
import {
  CURRENT,
  each,
  type PackagedVersion,
  parseOptions,
  readInteger,
  readVersion,
  UsageError,
} from "./shared/arguments.ts";
import { type EnvironmentVariables, EXIT_CODE, onSignals, type Terminal } from "./shared/terminal.ts";

const TOKEN_VARIABLE = "BILLING_TOKEN";
const DEFAULT_RETRY_FOR = 600;
const MAX_RETRY_FOR = 1_000_000;
const DEFAULT_CONCURRENCY = 4;
/** In milliseconds, as the times below. */
const WARN_EVERY = 10_000;
const STOP_GRACE = 5_000;

/** The output of `billing ingest --help`. */
export const help = `billing ingest: send a file of usage events

Usage:
  $ ${TOKEN_VARIABLE}=… billing ingest usage.jsonl --base-url <url> [options]
  $ … | ${TOKEN_VARIABLE}=… billing ingest - --base-url <url>

Input: JSON lines (one event per line) in UTF-8; - reads stdin.

Service:
      --base-url <url>       Base URL of the service, without /v1; required
      --version <YYYY-MM>    API version (default: ${CURRENT})

Sending:
      --concurrency <count>  Maximum number of concurrent requests (default: ${DEFAULT_CONCURRENCY})
      --retry-for <seconds>  Give up when requests have failed for this long (default: ${DEFAULT_RETRY_FOR})
      --again                Send every line, also of a file that is complete or has changed

Output:
      --json                 Print the result as one line of JSON

  -h, --help                 Print this help

Rejected lines are written to usage.jsonl.rejected, next to the input, with line numbers and reasons.

After Ctrl+C or a crash, run the same command again: no event of a file is stored twice, because each line has
the same external_id in every run. usage.jsonl.progress saves where to continue, or that the file is complete.
Ctrl+C waits up to ${STOP_GRACE / 1000} seconds for active requests.

Exit codes: 0 every line is stored, 1 failed (run again to continue), 2 invalid arguments or input,
            3 complete, but some lines were rejected, 130 interrupted (run again to continue)
`;

const OPTIONS = {
  ...each({ type: "string" }, "version", "base-url", "concurrency", "retry-for"),
  ...each({ type: "boolean" }, "again", "json"),
};

/** Runs `billing ingest`. */
export async function run(args: readonly string[], env: EnvironmentVariables, terminal: Terminal): Promise<number> {
  const { values, positionals } = parseOptions(OPTIONS, args, 1);
  const [path] = positionals;
  if (path === undefined) throw new UsageError("no file given; pass its path, or - for stdin.");
  const version = readVersion("--version", values.version) ?? CURRENT;
  const seconds = readInteger("--retry-for", values["retry-for"], 0, MAX_RETRY_FOR) ?? DEFAULT_RETRY_FOR;
  const concurrency = readInteger("--concurrency", values.concurrency, 1, 100) ?? DEFAULT_CONCURRENCY;
  const connection = await connect(version, values["base-url"], env, terminal);
  const input = new Input(path, terminal.streams.stdin);
  const abort = new AbortController();
  let warned = Number.NEGATIVE_INFINITY;
  const started = performance.now();
  const ingestion = new Ingestion({
    ...{ ...connection, input, concurrency, retryFor: seconds * 1000, again: values.again ?? false },
    signal: abort.signal,
    onProgress: (state) => terminal.reportProgress(formatProgress(state, started)),
    onRetry: ({ error, attempt, delay }) => {
      const now = performance.now();
      // A failure that lasts, such as a 401, ends the command at the second attempt. Without a status, events may be stored.
      if ((attempt === 1 && delay <= WARN_EVERY && isApiError(error)) || now - warned < WARN_EVERY) return;
      warned = now;
      terminal.warn(`a request failed and will be retried: ${explain(error)}`);
    },
  });
  const stopWatching = stopOnSignal(input, terminal, abort);
  const end = await ingestion.run().catch((error: Error) => error);
  stopWatching();
  if (end instanceof UsageError) throw end;
  const outcome = end === true ? "completed" : end === false ? "interrupted" : "failed";
  const { state } = ingestion;
  const error = end instanceof Error ? explain(end) : undefined;
  if (values.json) await terminal.printJson({ outcome, error, version, ...state });
  else await terminal.print(format(outcome, state, input.file !== undefined));
  if (error !== undefined) throw new Error(error);
  if (!end) return EXIT_CODE.interrupted;
  return state.rejected_file === null ? EXIT_CODE.success : EXIT_CODE.rejected;
}

/** The names of a client's options as the user typed them. */
const TYPED: Readonly<Record<string, string>> = { baseUrl: "--base-url", accessToken: TOKEN_VARIABLE };

/** Creates the client of a version. Identifies its target by a hash that is slow, so that no token can be guessed from it. */
async function connect(
  version: PackagedVersion,
  baseUrl: string | undefined,
  { [TOKEN_VARIABLE]: accessToken }: EnvironmentVariables,
  terminal: Terminal,
) {
  if (!accessToken)
    throw new UsageError(`${TOKEN_VARIABLE} is not set. Set it to an access token with the scope events:write.`);
  if (baseUrl === undefined)
    throw new UsageError("--base-url is missing; pass the base URL of the service, or of a mock.");
  const logger = { debug: () => {}, warn: (text: string) => terminal.warn(text) };
  const options = { accessToken, baseUrl, logger, logLevel: "warn" };
  const { createClient } = await import(`../versions/${version}/index.ts`);
  try {
    const client: UsageClient & { readonly baseUrl: string } = createClient(options);
    return { client, target: scryptSync(accessToken, client.baseUrl, 16).toString("hex") };
  } catch (error) {
    if (!isInvalidInputError(error)) throw error;
    throw new UsageError(`${TYPED[error.path] ?? error.path} ${error.problem}.`);
  }
}

/**
 * Stops reading on SIGINT (Ctrl+C) or SIGTERM, and aborts the requests in flight at the end of the grace time. A second signal
 * ends the process.
 */
function stopOnSignal(input: Input, terminal: Terminal, abort: AbortController): () => void {
  const endSignals = onSignals(["SIGINT", "SIGTERM"], (sent) => {
    endSignals();
    setTimeout(() => abort.abort(), STOP_GRACE).unref();
    const again = sent === "SIGINT" ? "press Ctrl+C" : `send ${sent}`;
    terminal.warn(`waiting for active requests; ${again} again to end immediately.`);
    input.close();
  });
  return endSignals;
}

/** Returns an error's message, with the command's advice. */
function explain(error: Error): string {
  const isAboutToken = isApiError(error) && (error.status === 401 || error.status === 403);
  return isAboutToken ? `${error.message} (check ${TOKEN_VARIABLE})` : error.message;
}

function format(outcome: string, state: IngestionState, isResumable: boolean): string {
  const { resumed_after_line, inserted, duplicates, rejected, unconfirmed, rejected_file } = state;
  const list = rejected_file === null ? "" : `\nRejected lines, with reasons: ${rejected_file}`;
  if (state.already_complete)
    return `Already complete: ${count(resumed_after_line)} lines. Nothing was sent; --again sends all of them.${list}\n`;
  const next = isResumable
    ? "To continue, run the same command again."
    : "Stdin, a pipe and a device have no saved progress: if you send the input again, events with an external_id count as duplicates.";
  return [
    resumed_after_line > 0 ? `Continued after line ${count(resumed_after_line)}. In this run:\n` : "",
    `${count(inserted)} inserted, ${count(duplicates)} ${duplicates === 1 ? "duplicate" : "duplicates"}, `,
    `${count(rejected)} rejected${unconfirmed > 0 ? `, ${count(unconfirmed)} unconfirmed` : ""}${list}`,
    outcome === "completed" ? "" : `\n${outcome === "interrupted" ? "Interrupted" : "Not complete"}. ${next}`,
    "\n",
  ].join("");
}

function count(number: number): string {
  return number.toLocaleString("en");
}

/** Returns the progress of a run. */
function formatProgress({ inserted, duplicates, rejected }: IngestionState, started: number): string {
  const stored = inserted + duplicates;
  const speed = Math.round((stored * 1000) / Math.max(performance.now() - started, 1));
  return `${count(stored)} events, ${count(speed)}/s${rejected > 0 ? `, ${count(rejected)} rejected` : ""}`;
}
