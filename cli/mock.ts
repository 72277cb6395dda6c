import { constants } from "node:os";
import type { Readable } from "node:stream";
import { createEngine, type Engine } from "../mock/api/engine.ts";
import { strict } from "../mock/assumptions/assumptions.ts";
import { CONTROL_PATH } from "../mock/control/client.ts";
import { type MockServer, serve } from "../mock/server/serve.ts";
import type { SecuritySchemeName } from "../src/contract/index.ts";
import { isLoopback } from "../src/values/urls.ts";
import { type MockArguments, readArguments } from "./mock/arguments.ts";
import { loadAssumptions, loadSeedFile, type SeededToken } from "./mock/seed-file.ts";
import { UsageError } from "./shared/arguments.ts";
import {
  type EnvironmentVariables,
  EXIT_CODE,
  escapeControls,
  onSignals,
  type Part,
  type Terminal,
} from "./shared/terminal.ts";

export { help } from "./mock/arguments.ts";

const CHECK_PARENT_EVERY = 500;

/** Starts the server, prints where it listens, and waits until something stops it. */
export async function run(args: readonly string[], env: EnvironmentVariables, terminal: Terminal): Promise<number> {
  const { stdin } = terminal.streams;
  const options = await readArguments(args, env, stdin);
  const { seed, seedData, middleware, host, port, control, cors, maxEvents } = options;
  const given = options.assumptions === undefined ? {} : await loadAssumptions(options.assumptions, stdin);
  const assumptions = { ...(options.strict ? strict : {}), ...given, ...(cors && { cors }) };
  const now = options.now === undefined ? undefined : runningFrom(options.now);
  const engine = createEngine({
    assumptions,
    maxEvents,
    seed,
    now,
    middleware,
    warn: (message) => terminal.warn(message),
  });
  const { mock } = engine;
  const tokens = {
    oidc: mock.issueToken({ type: "oidc" }),
    pat: mock.issueToken({ type: "pat" }),
    oat: mock.issueToken(),
  };
  const seeded = seedData === undefined ? [] : await loadSeedFile(seedData, mock, stdin);
  mock.checkpoint();
  const server = await listen(engine, { host, port, control });
  const [stopped, endWatching] = watchForStop(options, env, stdin);
  const ready = { server, options, tokens, seeded };
  try {
    // Otherwise, nobody knows the address.
    if (await (options.json ? terminal.printJson(asJson(ready)) : terminal.print(...asText(ready)))) await stopped;
  } finally {
    await server.close({ grace: options.grace });
    endWatching();
  }
  return EXIT_CODE.success;
}

/**
 * Returns a promise that resolves after SIGINT or SIGTERM, or when stdin or the parent ends; then, a further signal ends the
 * process immediately, until the returned function is called.
 */
function watchForStop({ stopWithStdin }: MockArguments, env: EnvironmentVariables, stdin: Readable) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (signal: NodeJS.Signals): never => process.exit(128 + constants.signals[signal]);
  const stop = (): void => {
    endSignals();
    endSignals = onSignals(["SIGINT", "SIGTERM"], end);
    resolve();
  };
  let endSignals = onSignals(["SIGINT", "SIGTERM"], stop);
  if (stopWithStdin) stdin.once("error", stop).once("close", stop).once("end", stop).resume();
  if (env["npm_lifecycle_event"] === "npx") whenParentEnds(stop);
  return [promise, () => endSignals()] as const;
}

/** npx passes a signal only to the shell between it and this process, so that the shell ends and nothing arrives here. */
function whenParentEnds(action: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    action();
  }, CHECK_PARENT_EVERY).unref();
}

/** Returns a clock that starts at a time and runs on. */
function runningFrom(start: number): () => number {
  const difference = start - Date.now();
  return () => Date.now() + difference;
}

const PORT_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: "is already in use; choose another with --port, or a free one with --port 0",
  EACCES: "needs a permission; choose another with --port",
};

async function listen(engine: Engine, options: Parameters<typeof serve>[1]): Promise<MockServer> {
  try {
    return await serve(engine, options);
  } catch (error) {
    const { code = "", syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const problem = PORT_PROBLEMS[code];
    const { host, port } = options;
    throw new UsageError(problem ? `port ${port} ${problem}.` : `--host ${host} is not an address of this machine.`);
  }
}

/** The facts to print when the server is ready. */
interface Ready {
  readonly server: MockServer;
  readonly options: MockArguments;
  /** An access token of each type. */
  readonly tokens: Readonly<Record<SecuritySchemeName, string>>;
  readonly seeded: readonly SeededToken[];
}

function asJson({ server, options, tokens, seeded }: Ready): object {
  const control = options.control === false ? null : server.url + CONTROL_PATH;
  return { url: server.url, port: server.port, control, tokens, seeded, versions: server.mock.versions };
}

function asText({ server, options, tokens, seeded }: Ready): Part[] {
  const { deprecated, current, next } = server.mock.versions;
  return [
    "The Billing Service mock is listening at ",
    ["bold", server.url],
    "\n\n",
    ["dim", "Tokens"],
    ...Object.entries(tokens).flatMap(([type, text]) => tokenLine(type, text)),
    ...seeded.flatMap(({ type, token, owner }) => tokenLine(type, token, owner)),
    "\n\n",
    ["dim", "Versions"],
    `  ${deprecated} Deprecated, ${current} Current, ${next} Next\n`,
    ["dim", "Inspector"],
    ` ${controlText(server, options)}\n\n`,
    ["dim", "Try it"],
    `\n  ${curlLine(server.url, tokens.oat)}\n`,
  ];
}

function tokenLine(type: string, token: string, owner = ""): Part[] {
  return [`\n  ${type.padEnd(5)} ${escapeControls(token)}`, ["dim", owner && `  ${escapeControls(owner)}`]];
}

function controlText({ url }: MockServer, { control, host }: MockArguments): string {
  if (control === false) return "off";
  const address = `${url}${CONTROL_PATH}/`;
  if (control.password !== undefined) return `${address} (requires the password)`;
  return isLoopback(host) ? address : `${address} (no password: open to everyone who can reach this host)`;
}

/** Returns a command that can be pasted into a shell. */
function curlLine(url: string, token: string): string {
  const event = JSON.stringify({ events: [{ name: "api.call", external_customer_id: "customer-1" }] });
  return `curl -sS ${url}/v1/events/ingest -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '${event}'`;
}
