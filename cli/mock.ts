import { constants } from "node:os";
import type { Readable } from "node:stream";
import { createEngine, type Engine } from "../mock/api/engine.ts";
import { strict } from "../mock/assumptions/assumptions.ts";
import { CONTROL_PATH } from "../mock/control/client.ts";
import type { SupportedVersions } from "../mock/lifecycle/versions.ts";
import { type MockServer, serve } from "../mock/server/serve.ts";
import { isLoopback } from "../src/values/urls.ts";
import { deferred } from "../src/values/wait.ts";
import { loadAssumptions, loadMiddleware, loadSeedFile, type MockArguments, readArguments } from "./mock/arguments.ts";
import { UsageError } from "./shared/arguments.ts";
import { type EnvironmentVariables, EXIT_CODE, onSignals, type Terminal } from "./shared/terminal.ts";

export { help } from "./mock/arguments.ts";

const CHECK_PARENT_EVERY = 500;

/** Starts the server, prints where it listens, and waits until something stops it. */
export async function run(args: readonly string[], env: EnvironmentVariables, terminal: Terminal): Promise<number> {
  const { stdin } = terminal.streams;
  const options = readArguments(args, env);
  const { seed, seedData, host, port, control, maxEvents } = options;
  const given = options.assumptions === undefined ? {} : await loadAssumptions(options.assumptions, stdin);
  const engine = createEngine({
    assumptions: { ...(options.strict ? strict : {}), ...given },
    maxEvents,
    seed,
    now: options.now === undefined ? undefined : runningFrom(options.now),
    middleware: options.middleware === undefined ? undefined : await loadMiddleware(options.middleware),
    warn: (message) => terminal.warn(message),
  });
  const { mock } = engine;
  const tokens = {
    oidc: mock.issueToken({ type: "oidc" }),
    pat: mock.issueToken({ type: "pat" }),
    oat: mock.issueToken(),
  };
  if (seedData !== undefined) await loadSeedFile(seedData, mock, stdin);
  mock.checkpoint();
  const server = await listen(engine, { host, port, control });
  const [stopped, endWatching] = watchForStop(options, env, stdin);
  try {
    const { url, mock } = server;
    const address = control === false ? null : url + CONTROL_PATH;
    const ready = { url, port: server.port, control: address, tokens, versions: mock.versions };
    // Otherwise, nobody knows the address.
    if (await (options.json ? terminal.printJson(ready) : terminal.print(asText(ready, options)))) await stopped;
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
  const { promise, resolve } = deferred<void>();
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

async function listen(engine: Engine, options: Parameters<typeof serve>[1]): Promise<MockServer> {
  try {
    return await serve(engine, options);
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new UsageError(`${message}. Choose another address with --port (0 picks a free port) or --host.`);
  }
}

/** The facts to print when the server is ready. */
interface Ready {
  readonly url: string;
  readonly control: string | null;
  /** An access token of each type. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly versions: SupportedVersions;
}

function asText({ url, control, tokens, versions }: Ready, options: MockArguments): string {
  const lines = Object.entries(tokens).map(([type, token]) => `  ${type.padEnd(5)} ${token}\n`);
  return `The Billing Service mock is listening at ${url}

Tokens
${lines.join("")}
Versions  ${versions.deprecated} Deprecated, ${versions.current} Current, ${versions.next} Next
Inspector ${control === null ? "off" : `${control}/${accessTo(options)}`}

Try it
  ${curlLine(url, tokens["oat"] as string)}
`;
}

/** Says who can use the control API, unless it is only this machine. */
function accessTo({ control, host }: MockArguments): string {
  if (control && control.password !== undefined) return " (requires the password)";
  return isLoopback(host) ? "" : " (no password: open to everyone who can reach this host)";
}

/** Returns a command that can be pasted into a shell. */
function curlLine(url: string, token: string): string {
  const event = JSON.stringify({ events: [{ name: "api.call", external_customer_id: "customer-1" }] });
  return `curl -sS ${url}/v1/events/ingest -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '${event}'`;
}
