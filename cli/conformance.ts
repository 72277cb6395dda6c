import { closeSync, existsSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import {
  type ConformanceOptions,
  type ConformancePlan,
  type ConformanceReport,
  planConformance,
  runConformance,
} from "../conformance/index.ts";
import { MAX_RETRY_MINUTES } from "../conformance/options.ts";
import { isInvalidInputError } from "../src/errors/index.ts";
import { isLoopback } from "../src/values/urls.ts";
import { listen, type Receiver, triggerWith } from "./conformance/deliveries.ts";
import { asText, FLAGS, failuresOf, isEmpty } from "./conformance/format.ts";
import { readTokens, TOKEN_ADVICE, TOKEN_VARIABLES } from "./conformance/tokens.ts";
import {
  each,
  parseOptions,
  readInteger,
  readVersion,
  rejectTokens,
  UsageError,
  type Values,
  versionNames,
} from "./shared/arguments.ts";
import { explainFileError, explainingFile } from "./shared/files.ts";
import { type EnvironmentVariables, EXIT_CODE, escapeControls, onSignals, type Terminal } from "./shared/terminal.ts";

const MAX_REQUESTS = 1_000_000;

/** The output of `billing conformance --help`. */
export const help = `billing conformance: check a service against the rules, and find the mock settings that match it

Usage:
  $ billing conformance --base-url http://127.0.0.1:4010 --tokens tokens.json [options]

Service:
      --base-url <url>         Base URL of the service
      --tokens <file.json>     Tokens: [{ "kind": "oidc" | "pat" | "oat", "token": "…", "scopes": […] }]
                               Without it: ${Object.values(TOKEN_VARIABLES).join(", ")}
      --version <YYYY-MM>      API version to check; repeatable (default: ${versionNames.join(", ")})
      --organization <id>      Organization of tokens that do not name theirs
      --authorize-query <q>    Query of GET /v1/oauth2/authorize, such as client_id=…, if it needs one
      --customer <id>          Customer for the run's events (default: one that does not exist)
      --endpoint <id>          Existing webhook endpoint, only read; needed if the run cannot create one
      --origin <origin>        Origin to try for CORS; repeatable

Checks:
      --only <ids>             Check only these rules and assumptions, such as ERR-3,G-EVT-*
      --read-only              Create no webhook endpoints and ingest no events
      --requests-per-second <n>
                               Maximum rate (default: 5; no limit for this machine)
      --max-requests <n>       Maximum number of requests (default: what the checks need)
      --timeout <ms>           Request timeout (default: 10000)
      --yes                    Send the requests also to another machine

Deliveries (need --trigger, and --receiver unless the service is on this machine):
      --receiver <url>         URL that forwards every path to --receiver-port, for example a tunnel
      --receiver-port <port>   Port to listen on, on this machine (default: a free one)
      --trigger <command>      Shell command that makes the service send an event of the type $EVENT_TYPE to
                               the organization $ORGANIZATION_ID
      --event-type <type>      Type that --trigger can send; give two (default: any)
      --retry-minutes <n>      Maximum time to wait for every retry of failed events (default: wait only for
                               the first retry)

Output:
      --json                   Print the report as one line of JSON
      --write <file.json>      Write the assumptions that differ from the mock's defaults, for createMock
                               and billing mock --assumptions

  -h, --help                   Print this help

The command creates usage events and webhook endpoints whose names contain "conformance". It disables the
endpoints at once, or at the end, also after Ctrl+C, and prints those that it could not disable. Events and
their names stay. With --retry-minutes, the service disables an endpoint, and may email the organization.

Exit codes: 0 every observed rule holds
            1 failed: nothing could be observed, for example because every token is rejected, an endpoint was
              left enabled, or the file of --write was not written
            2 invalid arguments or files, or no --yes
            3 a rule does not hold
            130 interrupted
`;

const OPTIONS = {
  ...each({ type: "string" }, "base-url", "tokens", "customer", "endpoint", "receiver", "receiver-port", "trigger"),
  ...each({ type: "string" }, "requests-per-second", "max-requests", "timeout", "retry-minutes", "write"),
  ...each({ type: "string" }, "organization", "authorize-query"),
  ...each({ type: "string", multiple: true }, "version", "origin", "event-type", "only"),
  ...each({ type: "boolean" }, "read-only", "yes", "json"),
};

type Arguments = Values<typeof OPTIONS>;

/** Runs `billing conformance`. */
export async function run(args: readonly string[], env: EnvironmentVariables, terminal: Terminal): Promise<number> {
  rejectTokens(args, TOKEN_ADVICE);
  const { values } = parseOptions(OPTIONS, args);
  const { stdin } = terminal.streams;
  if (values.write !== undefined) requireWritable(values.write);
  const tokens = await readTokens(values.tokens, env, stdin);
  const receiver = await openReceiver(values);
  const end = new AbortController();
  let stopWatching = (): void => {};
  try {
    const options: ConformanceOptions = {
      ...readOptions(values, env, receiver, terminal),
      tokens,
      signal: end.signal,
      onProgress: ({ id, version, done, total, requests }) =>
        terminal.reportProgress(`${done}/${total}  ${id} ${version}  ${requests.toLocaleString("en")} requests`),
    };
    const plan = await checked(() => planConformance(options));
    requireConsent(plan, options, values, terminal);
    stopWatching = abortOnSignal(end, terminal);
    const report = await checked(() => runConformance(options));
    if (values.json) await terminal.printJson(report);
    else if (report.problem === undefined) await terminal.print(...asText(report));
    if (report.leftEnabled.length > 0) terminal.warn(`endpoints left enabled: ${report.leftEnabled.join(", ")}.`);
    const isWritten = await writeChoices(report, plan, values, terminal);
    return isWritten ? exitCode(report) : Math.max(exitCode(report), EXIT_CODE.failed);
  } finally {
    stopWatching();
    receiver?.close();
  }
}

/** Checks that a file can be written, so that a run does not end without it. Leaves no new file behind. */
function requireWritable(path: string): void {
  const isNew = !existsSync(path);
  explainingFile(`--write ${path}`, () => {
    closeSync(openSync(path, "a"));
    // Of a symbolic link, only the new target.
    if (isNew) rmSync(realpathSync(path));
  });
}

async function openReceiver(values: Arguments): Promise<Receiver | undefined> {
  const { receiver: url, "receiver-port": port, trigger } = values;
  if (trigger !== undefined) return listen(readInteger("--receiver-port", port, 0, 65_535) ?? 0, url);
  if (url === undefined && port === undefined) return undefined;
  throw new UsageError("deliveries also need --trigger, a command that makes the service send an event.");
}

function readOptions(
  values: Arguments,
  env: EnvironmentVariables,
  receiver: Receiver | undefined,
  terminal: Terminal,
): Omit<ConformanceOptions, "tokens"> {
  const { "base-url": baseUrl, trigger } = values;
  if (baseUrl === undefined)
    throw new UsageError("--base-url must be the absolute URL of a service, such as https://sandbox.example.");
  return {
    baseUrl,
    versions: values.version?.map((name) => readVersion("--version", name) as string),
    organizationId: values.organization,
    authorizeQuery: values["authorize-query"],
    eventTypes: values["event-type"],
    customerId: values.customer,
    endpointId: values.endpoint,
    origins: values.origin,
    retryMinutes: readInteger("--retry-minutes", values["retry-minutes"], 1, MAX_RETRY_MINUTES),
    only: values.only?.flatMap((each) => each.split(",")).map((each) => each.trim()),
    allowWrites: !values["read-only"],
    requestsPerSecond: readInteger("--requests-per-second", values["requests-per-second"], 1, 10_000),
    maxRequests: readInteger("--max-requests", values["max-requests"], 1, MAX_REQUESTS),
    timeout: readInteger("--timeout", values.timeout, 1, 600_000),
    receiver: receiver && { url: receiver.url, receive: receiver.receive },
    trigger: trigger === undefined ? undefined : triggerWith(trigger, env, terminal),
  };
}

/** Calls a function of the entry point, and names its options as the user typed them. */
async function checked<Result>(call: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!isInvalidInputError(error)) throw error;
    const [name = "", place = ""] = error.path.split(/(?=\[|\.)(.*)/s);
    throw new UsageError(`${FLAGS[name] ?? name}${place} ${error.problem}.`);
  }
}

/** Prints what the run does. Throws unless the arguments or the address say that it may. */
function requireConsent(
  { requests, writes }: ConformancePlan,
  { baseUrl }: Pick<ConformanceOptions, "baseUrl">,
  values: Arguments,
  terminal: Terminal,
): void {
  const most = Math.min(requests, Number(values["max-requests"] ?? requests)).toLocaleString("en");
  const written = writes.length === 0 ? "Writes nothing." : `Writes ${writes.join("; ")}.`;
  terminal.streams.stderr.write(`${escapeControls(`At most ${most} requests to ${baseUrl}. ${written}`)}\n`);
  if (values.yes || isLoopback(new URL(baseUrl).hostname)) return;
  throw new UsageError("no request was sent; to send them, run the command again with --yes.");
}

/** Aborts on SIGINT (Ctrl+C), SIGTERM or SIGHUP (a closed terminal); the endpoints are then disabled. A second signal ends the process. */
function abortOnSignal(end: AbortController, terminal: Terminal): () => void {
  return onSignals(["SIGINT", "SIGTERM", "SIGHUP"], () => {
    if (end.signal.aborted) {
      terminal.warn('endpoints whose names start with "conformance" may still be enabled.');
      process.exit(EXIT_CODE.interrupted);
    }
    terminal.warn("disabling the endpoints that were created; press Ctrl+C again to leave them.");
    end.abort();
  });
}

/** Writes the file of `--write`. Returns false if it says too little. */
async function writeChoices(
  { aborted, complete, assumptions, choices, requests }: ConformanceReport,
  plan: ConformancePlan,
  { write: path, json, "max-requests": limit = `${plan.requests}` }: Arguments,
  terminal: Terminal,
): Promise<boolean> {
  if (path === undefined) return true;
  const observed = assumptions.filter(({ outcome }) => outcome === "observed").length;
  const isLimited = requests >= Number(limit);
  if (aborted || (!complete && !isLimited) || observed === 0) {
    const reason = observed === 0 ? "no assumption was observed" : "the run is not complete";
    terminal.warn(`${path} was not written, because ${reason}.`);
    return false;
  }
  try {
    writeFileSync(path, `${JSON.stringify(choices, null, 2)}\n`);
  } catch (error) {
    throw new Error(`--write ${path}: ${explainFileError(error)}.`);
  }
  const part = `${observed} of ${assumptions.length} assumptions`;
  if (isLimited && observed < assumptions.length) {
    terminal.warn(`${path} covers only ${part}, because the run reached ${limit} requests.`);
  }
  if (json) return true;
  const use = `createMock({ assumptions }) · billing mock --assumptions ${path}`;
  await terminal.print(`\nWrote ${path}, from ${part}; for the others, the mock keeps its defaults: ${use}\n`);
  return true;
}

function exitCode(report: ConformanceReport): number {
  if (report.aborted) return EXIT_CODE.interrupted;
  if (report.leftEnabled.length > 0) return EXIT_CODE.failed;
  if (isEmpty(report)) {
    const [first] = [...report.rules, ...report.assumptions];
    throw new Error(`nothing could be observed: ${report.problem ?? first?.reason}.`);
  }
  return failuresOf(report).length === 0 ? EXIT_CODE.success : EXIT_CODE.rejected;
}
