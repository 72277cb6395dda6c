import { closeSync, existsSync, openSync, rmSync, writeFileSync } from "node:fs";
import type { Readable } from "node:stream";
import type { ConformanceReport } from "../conformance/report.ts";
import { chosenChecks, runConformance, writesOf } from "../conformance/run.ts";
import { parsed } from "../conformance/service-response.ts";
import { type ConformanceOptions, type ConformanceToken, contracts, KINDS } from "../conformance/settings.ts";
import { isLoopback, parseBaseUrl } from "../src/values/urls.ts";
import { listen, type Receiver, triggerWith } from "./conformance/deliveries.ts";
import { asText, failuresOf, isEmpty } from "./conformance/format.ts";
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
import { explainingFile, readText } from "./shared/files.ts";
import { type EnvironmentVariables, EXIT_CODE, escapeControls, onSignals, type Terminal } from "./shared/terminal.ts";

/** The environment variables with a token of each kind. */
const TOKEN_VARIABLES = { oidc: "BILLING_OIDC_TOKEN", pat: "BILLING_PAT_TOKEN", oat: "BILLING_OAT_TOKEN" } as const;

/** Where tokens belong. */
const TOKEN_ADVICE = `Save tokens in a file for --tokens, or in ${Object.values(TOKEN_VARIABLES).join(", ")}.`;

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

Checks:
      --only <ids>             Check only these rules and assumptions, such as ERR-3,G-EVT-*
      --read-only              Create no webhook endpoints and ingest no events
      --requests-per-second <n>
                               Maximum rate (default: 5; no limit for this machine)
      --timeout <ms>           Request timeout (default: 10000)
      --yes                    Send the requests also to another machine

Deliveries (need --trigger, and --receiver unless the service is on this machine):
      --receiver <url>         URL that forwards every path to --receiver-port, for example a tunnel
      --receiver-port <port>   Port to listen on, on this machine (default: a free one)
      --trigger <command>      Shell command that sends an $EVENT_TYPE event to organization $ORGANIZATION_ID
      --event-type <type>      Type that --trigger can send; give two (default: any)

Output:
      --json                   Print the report as one line of JSON
      --write <file.json>      Write the assumptions that differ from the mock's defaults, for createMock
                               and billing mock --assumptions

  -h, --help                   Print this help

The command creates usage events and webhook endpoints whose names contain "conformance". It disables the
endpoints at once, or at the end, also after Ctrl+C, and prints those that it could not disable. Events and
their names stay. With --trigger, one delivery per version fails, about which the service may send an email.

Exit codes: 0 every observed rule holds
            1 nothing could be observed, an endpoint was left enabled, or --write wrote no file
            2 invalid arguments or files, or no --yes
            3 a rule does not hold
            130 interrupted
`;

const OPTIONS = {
  ...each({ type: "string" }, "base-url", "tokens", "organization", "authorize-query", "customer", "endpoint"),
  ...each({ type: "string" }, "receiver", "receiver-port", "trigger", "requests-per-second", "timeout", "write"),
  ...each({ type: "string", multiple: true }, "version", "event-type", "only"),
  ...each({ type: "boolean" }, "read-only", "yes", "json"),
};

type Arguments = Values<typeof OPTIONS>;

const EVENT_TYPES = contracts.flatMap(({ webhookEventTypes }) => webhookEventTypes);
const ID = [/^[\w.:-]+$/, "an id"] as const;

/** What the value of an option must match, and in words. */
const VALID: readonly (readonly [option: keyof Arguments, pattern: RegExp, words: string])[] = [
  ["organization", ...ID],
  ["customer", ...ID],
  ["endpoint", ...ID],
  ["only", /^[\w*,: -]+$/, "ids, such as ERR-3,G-EVT-*"],
  ["authorize-query", /^[\w.~%!*'()+;:@,/?=&-]+$/, "the query of a URL, without a question mark"],
  ["event-type", new RegExp(`^(${EVENT_TYPES.join("|")})$`), "an event type, such as order.paid"],
];

/** Runs `billing conformance`. */
export async function run(args: readonly string[], env: EnvironmentVariables, terminal: Terminal): Promise<number> {
  rejectTokens(args, TOKEN_ADVICE);
  const { values } = parseOptions(OPTIONS, args);
  const chosen = readOptions(values);
  if (values.write !== undefined) requireWritable(values.write);
  const tokens = await readTokens(values.tokens, env, terminal.streams.stdin);
  requireConsent({ ...chosen, tokens }, values, terminal);
  const receiver = await openReceiver(values);
  const end = new AbortController();
  const stopWatching = abortOnSignal(end, terminal);
  try {
    const report = await runConformance({
      ...chosen,
      tokens,
      receiver,
      trigger: values.trigger === undefined ? undefined : triggerWith(values.trigger, env, terminal),
      signal: end.signal,
      onProgress: (status) => terminal.reportProgress(status),
    });
    if (values.json) await terminal.printJson(report);
    else if (report.problem === undefined) await terminal.print(asText(report));
    if (report.leftEnabled.length > 0) terminal.warn(`endpoints left enabled: ${report.leftEnabled.join(", ")}.`);
    const isWritten = await writeChoices(report, values, terminal);
    return isWritten ? exitCode(report) : Math.max(exitCode(report), EXIT_CODE.failed);
  } finally {
    stopWatching();
    receiver?.close();
  }
}

/** Reads the options about the service and the checks. */
function readOptions(values: Arguments): Omit<ConformanceOptions, "tokens"> {
  const baseUrl = parseBaseUrl(values["base-url"]);
  if (baseUrl === undefined)
    throw new UsageError(
      "--base-url must be the absolute URL of a service, such as https://sandbox.example, without credentials, query and fragment.",
    );
  for (const [option, pattern, words] of VALID) {
    const isValid = [values[option] ?? []].flat().every((value) => pattern.test(String(value)));
    if (!isValid) throw new UsageError(`--${option} must be ${words}.`);
  }
  const only = values.only?.flatMap((ids) => ids.split(",")).map((id) => id.trim());
  const unknown = only?.find((id) => chosenChecks({ only: [id] }).length === 0);
  if (unknown !== undefined) throw new UsageError(`--only: no rule or assumption has the id "${unknown}".`);
  return {
    baseUrl,
    only,
    versions: values.version?.map((name) => readVersion("--version", name) as string),
    organizationId: values.organization,
    authorizeQuery: values["authorize-query"],
    eventTypes: values["event-type"],
    customerId: values.customer,
    endpointId: values.endpoint?.toLowerCase(),
    allowWrites: !values["read-only"],
    requestsPerSecond: readInteger("--requests-per-second", values["requests-per-second"], 1, 10_000),
    timeout: readInteger("--timeout", values.timeout, 1, 600_000),
  };
}

/** Checks that a file can be written, so that a run does not end without it. Leaves no new file behind. */
function requireWritable(path: string): void {
  const isNew = !existsSync(path);
  explainingFile(`--write ${path}`, () => closeSync(openSync(path, "a")));
  if (isNew) rmSync(path);
}

/** Whether a value is a token of the file for --tokens. */
function isToken(value: unknown): value is ConformanceToken {
  const { kind, token, scopes = [], organizationId = "", ...others } = Object(value) as Record<string, unknown>;
  const isPrintable = typeof token === "string" && /^[\x21-\x7e]+$/.test(token);
  const isNamed = KINDS.some((each) => each === kind) && typeof organizationId === "string";
  const areNames = Array.isArray(scopes) && scopes.every((scope) => typeof scope === "string");
  return isPrintable && isNamed && areNames && Object.keys(others).length === 0;
}

/**
 * Reads the tokens from a JSON file, otherwise from the environment. No message shows what the file contains: a token may be in
 * the wrong field.
 */
async function readTokens(path: string | undefined, env: EnvironmentVariables, stdin: Readable) {
  const found = path === undefined ? tokensOf(env) : parsed(await readText("--tokens", path, stdin));
  const tokens: readonly unknown[] = Array.isArray(found) ? found : [];
  if (tokens.length > 0 && tokens.every(isToken)) return tokens;
  if (path === undefined) throw new UsageError(`no valid tokens given. ${TOKEN_ADVICE}`);
  const invalid = tokens.findIndex((token) => !isToken(token));
  const expected = '{ "kind": "oat" | "pat" | "oidc", "token": "…", "scopes": ["…"], "organizationId": "…" }';
  throw new UsageError(`--tokens${invalid < 0 ? `: expected [${expected}]` : `[${invalid}]: expected ${expected}`}.`);
}

const tokensOf = (env: EnvironmentVariables) =>
  KINDS.flatMap((kind) => (env[TOKEN_VARIABLES[kind]] ? { kind, token: env[TOKEN_VARIABLES[kind]] } : []));

async function openReceiver({ receiver, "receiver-port": port, trigger }: Arguments): Promise<Receiver | undefined> {
  if (trigger !== undefined) return listen(readInteger("--receiver-port", port, 0, 65_535) ?? 0, receiver);
  if (receiver === undefined && port === undefined) return undefined;
  throw new UsageError("deliveries also need --trigger, a command that makes the service send an event.");
}

/** What a run writes, in words, by the kind of records. */
const WRITES = {
  endpoints: "webhook endpoints, which are disabled at once or at the end",
  events: "usage events and their names, which stay",
} as const;

/** Prints what the run does. Throws unless the arguments or the address say that it may. */
function requireConsent(options: ConformanceOptions, { yes, trigger }: Arguments, terminal: Terminal): void {
  const { baseUrl } = options;
  const kinds = writesOf(options, trigger !== undefined).map((kind) => WRITES[kind]);
  const written = kinds.length === 0 ? "Writes nothing." : `Writes ${kinds.join("; ")}.`;
  terminal.streams.stderr.write(`${escapeControls(`Sends requests to ${baseUrl}. ${written}`)}\n`);
  if (yes || isLoopback(new URL(baseUrl).hostname)) return;
  throw new UsageError("no request was sent; to send them, run the command again with --yes.");
}

/**
 * Aborts on SIGINT (Ctrl+C), SIGTERM or SIGHUP (a closed terminal); the endpoints are then disabled. A second signal ends the
 * process.
 */
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
  { complete, assumptions, choices }: ConformanceReport,
  { write: path, json }: Arguments,
  terminal: Terminal,
): Promise<boolean> {
  if (path === undefined) return true;
  const observed = assumptions.filter(({ outcome }) => outcome === "observed").length;
  if (!complete || observed === 0) {
    const reason = complete ? "no assumption was observed" : "the run is not complete";
    terminal.warn(`${path} was not written, because ${reason}.`);
    return false;
  }
  writeFileSync(path, `${JSON.stringify(choices, null, 2)}\n`);
  if (json) return true;
  const part = `${observed} of ${assumptions.length} assumptions`;
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
