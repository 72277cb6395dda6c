import { scryptSync } from "node:crypto";
import { styleText } from "node:util";
import type { Hooks } from "../src/client/options.ts";
import { readBaseUrl } from "../src/client/settings.ts";
import { isApiError, isInvalidInputError } from "../src/errors/index.ts";
import type { UsageClient } from "../src/usage/index.ts";
import { Ingestion, type IngestionState } from "./ingest/ingestion.ts";
import { Input } from "./ingest/input.ts";
import {
  CURRENT,
  type EnvironmentVariables,
  each,
  type PackagedVersion,
  parseOptions,
  readInteger,
  readVersion,
  UsageError,
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

/** The output of `billing ingest --help`. */
export const help = `billing ingest: send a file of usage events

Usage:
  $ ${TOKEN_VARIABLE}=… billing ingest usage.jsonl --base-url <url> [options]
  $ … | ${TOKEN_VARIABLE}=… billing ingest - --base-url <url>

Input: JSON lines (one event per line), also gzip; - reads stdin.

Service:
      --base-url <url>       Base URL of the service, without /v1; required
      --version <YYYY-MM>    API version (default: ${CURRENT})

Sending:
      --concurrency <count>  Maximum number of concurrent requests (default: ${DEFAULT_CONCURRENCY})
      --retry-for <seconds>  Give up when requests have failed for this long (default: ${DEFAULT_RETRY_FOR})

Output:
      --json                 Print the result as one line of JSON

  -h, --help                 Print this help

Rejected lines are written to usage.jsonl.rejected.jsonl, next to the input, with line numbers and reasons.

After Ctrl+C or a crash, run the same command again: no event of a file is stored twice, because each line has
the same external_id in every run. Until a file is complete, usage.jsonl.progress saves where to continue.
Ctrl+C waits up to ${STOP_GRACE / 1000} seconds for active requests, but not for retries.

Exit codes: 0 every line is stored, 1 failed (run again to continue), 2 invalid arguments or input,
            3 complete, but some lines were rejected, 130 interrupted (run again to continue)
`;

const OPTIONS = {
  ...each({ type: "string" }, "version", "base-url", "concurrency", "retry-for"),
  ...each({ type: "boolean" }, "json"),
};

/** Runs `billing ingest`. */
export async function run(args: readonly string[], env: EnvironmentVariables): Promise<number> {
  const { values, positionals } = parseOptions(NAME, OPTIONS, args, 1);
  const [path] = positionals;
  if (path === undefined) throw new UsageError("no file given; pass its path, or - for stdin.");
  const version = readVersion("--version", values.version) ?? CURRENT;
  const seconds = readInteger("--retry-for", values["retry-for"], 0, MAX_RETRY_FOR) ?? DEFAULT_RETRY_FOR;
  const concurrency = readInteger("--concurrency", values.concurrency, 1, 100) ?? DEFAULT_CONCURRENCY;
  const { active, ...connection } = await connect(version, values["base-url"], env);
  const input = new Input(path);
  const bar = new ProgressBar(input);
  let retryAt = 0;
  const ingestion = new Ingestion({
    ...{ ...connection, input, concurrency, retryFor: seconds * 1000 },
    signal: stopOnSignal(input, bar, () => active.size === 0 && performance.now() < retryAt),
    onProgress: (state) => bar.update(state),
    onRetry: ({ error, attempt, delay }) => {
      retryAt = Math.max(retryAt, performance.now() + delay);
      // A failure that lasts, such as a 401, ends the command at the second attempt. Without a status, events may be stored.
      if (attempt > 1 || delay > WARN_EVERY || !isApiError(error))
        bar.warn(`a request failed and will be retried: ${explain(error)}`);
    },
  });
  const end = await ingestion.run().catch((error: Error) => error);
  bar.clear();
  if (end instanceof UsageError) throw end;
  const outcome = end === true ? "completed" : end === false ? "interrupted" : "failed";
  const { state } = ingestion;
  const error = end instanceof Error ? explain(end) : undefined;
  if (values.json) await print(`${JSON.stringify({ outcome, error, version, ...state })}\n`);
  else await print(...format(outcome, state, input.size !== undefined));
  if (error !== undefined) throw new Error(error);
  if (!end) return EXIT_CODE.interrupted;
  return state.rejected_file === null ? EXIT_CODE.success : EXIT_CODE.rejected;
}

/**
 * Creates the client of a version, and tracks its active requests. Identifies its target by a hash that is slow, so that no
 * token can be guessed from it.
 */
async function connect(version: PackagedVersion, url: string | undefined, env: EnvironmentVariables) {
  const accessToken = env[TOKEN_VARIABLE];
  if (!accessToken) {
    throw new UsageError(`${TOKEN_VARIABLE} is not set. Set it to an access token with the scope events:write.`);
  }
  if (url === undefined) throw new UsageError("--base-url is missing; pass the base URL of the service, or of a mock.");
  const active = new Set<string>();
  const hooks: Hooks = {
    onRequest: ({ attemptId }) => void active.add(attemptId),
    onAttemptEnd: ({ attemptId }) => void active.delete(attemptId),
  };
  const logger = {
    debug: () => {},
    warn: (text: string) => warn(NAME, text.replace("createClient: ", "").replace("import", "pass --version")),
  };
  const options = { accessToken, baseUrl: url, hooks, logger, logLevel: "warn" };
  const { createClient } = await import(`../versions/${version}/index.ts`);
  try {
    const client: UsageClient = createClient(options);
    return { active, client, target: scryptSync(accessToken, readBaseUrl(options), 16).toString("hex") };
  } catch (error) {
    if (!isInvalidInputError(error)) throw error;
    const named = { "createClient: ": "", baseUrl: "--base-url", accessToken: TOKEN_VARIABLE };
    throw new UsageError(
      Object.entries(named).reduce((text, [name, typed]) => text.replace(name, typed), error.message),
    );
  }
}

/**
 * Stops reading on SIGINT (Ctrl+C) or SIGTERM. The returned signal aborts when only retries are left, or at the end of the
 * grace time, to cancel the requests in flight. A second SIGINT or SIGTERM ends the process.
 */
function stopOnSignal(input: Input, bar: ProgressBar, isWaiting: () => boolean): AbortSignal {
  const abort = new AbortController();
  const stop = (sent: NodeJS.Signals): void => {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    const end = performance.now() + STOP_GRACE;
    const check = () => (isWaiting() || performance.now() >= end) && abort.abort();
    setInterval(check, UPDATE_EVERY).unref();
    bar.clear();
    const again = sent === "SIGINT" ? "press Ctrl+C" : `send ${sent}`;
    if (!isWaiting()) warn(NAME, `waiting for active requests; ${again} again to end immediately.`);
    input.close();
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  return abort.signal;
}

/** Returns an error's message, with the command's advice. */
function explain(error: Error): string {
  const message = error.message
    .replace(/; \d+ of \d+ events read are settled/, "") // counts only a part of the input
    .replace(/set `baseUrl`.*$/, "pass another --base-url, for example the URL that `billing mock` prints");
  const isAboutToken = isApiError(error) && (error.status === 401 || error.status === 403);
  return isAboutToken ? `${message.replace(/\.?$/, ".")} Check ${TOKEN_VARIABLE}.` : message;
}

function format(outcome: string, state: IngestionState, isResumable: boolean): Part[] {
  const { resumed_after_line, inserted, duplicates, rejected, unconfirmed, rejected_file, without_external_id } = state;
  const stored = `${count(inserted)} inserted`;
  const failed = `${count(rejected)} rejected`;
  const next = isResumable
    ? "The progress is saved: run the same command again to continue."
    : "Stdin, a pipe and a device have no saved progress: if you send the input again, events with an external_id count as duplicates.";
  const again = "ingesting this input again stores them again";
  return [
    resumed_after_line > 0 ? `Continued after line ${count(resumed_after_line)}. In this run:\n` : "",
    inserted > 0 ? ["green", stored] : stored,
    `, ${count(duplicates)} ${duplicates === 1 ? "duplicate" : "duplicates"}, `,
    rejected > 0 ? ["red", failed] : failed,
    unconfirmed > 0 ? ["red", `, ${count(unconfirmed)} unconfirmed`] : "",
    rejected_file === null ? "" : `\nRejected lines, with reasons: ${rejected_file}`,
    outcome === "completed" ? "" : `\n${outcome === "interrupted" ? "Interrupted" : "Not complete"}. ${next}`,
    without_external_id === 0 ? "" : `\nEvents without an external_id: ${count(without_external_id)}; ${again}.`,
    "\n",
  ];
}

function count(number: number): string {
  return number.toLocaleString("en");
}

/** A line on a terminal that shows the progress. Without a terminal, it shows nothing. Stdout is for the result. */
class ProgressBar {
  readonly #input: Input;
  readonly #started: number = performance.now();
  #shown = Number.NEGATIVE_INFINITY;
  #warned = Number.NEGATIVE_INFINITY;

  constructor(input: Input) {
    this.#input = input;
  }

  update({ inserted, duplicates, rejected }: IngestionState): void {
    const now = performance.now();
    if (!process.stderr.isTTY || now - this.#shown < UPDATE_EVERY) return;
    this.#shown = now;
    const stored = inserted + duplicates;
    const speed = Math.round((stored * 1000) / Math.max(now - this.#started, 1));
    const numbers = `${count(stored)} events, ${count(speed)}/s${rejected > 0 ? `, ${count(rejected)} rejected` : ""}`;
    process.stderr.write(`\r\u001b[K${barOf(this.#input.fractionRead())}${numbers}`);
  }

  /** Prints a message in place of the bar, at most every ten seconds. */
  warn(message: string): void {
    if (performance.now() - this.#warned < WARN_EVERY) return;
    this.#warned = performance.now();
    this.clear();
    warn(NAME, message);
  }

  /** Removes the bar, so that another line can be printed. */
  clear(): void {
    if (this.#shown > 0) process.stderr.write("\r\u001b[K");
    this.#shown = Number.NEGATIVE_INFINITY;
  }
}

function barOf(fraction: number | undefined): string {
  if (fraction === undefined) return "";
  const bar = "█".repeat(Math.round(fraction * 24)).padEnd(24, "░");
  return `${styleText("green", bar, { stream: process.stderr })} ${Math.floor(fraction * 100)}%  `;
}
