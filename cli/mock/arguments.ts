import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { Middleware } from "../../mock/api/mock.ts";
import type { Assumptions } from "../../mock/assumptions/assumptions.ts";
import { GRACE } from "../../mock/server/serve.ts";
import { MAX_EVENTS } from "../../mock/state/state.ts";
import { asError } from "../../src/values/describe.ts";
import { isOrigin } from "../../src/values/urls.ts";
import { each, parseOptions, readInteger, readTime, UsageError, type Values } from "../shared/arguments.ts";
import { DEFAULT_PORT, PASSWORD_VARIABLE, readPassword } from "../shared/control.ts";
import type { EnvironmentVariables } from "../shared/terminal.ts";

/** The output of `billing mock --help`. */
export const help = `billing mock: run a mock of the Billing Service API over HTTP, with all data in memory

Usage:
  $ billing mock [options]

Server:
  -p, --port <number>          Port to listen on; 0 picks a free one (default: ${DEFAULT_PORT})
      --host <name>            Host to bind to (default: 127.0.0.1, reachable only from this machine)
      --grace <ms>             Time for active requests to finish after Ctrl+C or SIGTERM (default: ${GRACE});
                               a second signal stops immediately
      --stdin                  Also stop when stdin is closed, for example because the parent ended
      --json                   Print the address and the tokens as one line of JSON

Data:
      --seed-data <file.json>  Records and tokens to start with
      --seed <number>          Generate the same ids, tokens and secrets on every run;
                               write a negative number as --seed=-5
      --now <time>             Time at which the clock starts, such as 2025-03-01T00:00:00Z
                               (default: the system time)
      --max-events <number>    Maximum number of stored usage events; the response to a batch that would
                               exceed it is a 507 (default: ${MAX_EVENTS})

Responses:
      --assumptions <file.json>
                               Assumptions that differ from the defaults; see docs/mock-data.md
      --middleware <file.mjs>  Module whose default export answers requests; see docs/mock-data.md
      --strict                 Also reject what comparable APIs reject; see docs/mock-data.md
      --cors <origin>          Allow web pages from this origin, or from all with "*"; repeatable

Control API and inspector, at /__mock:
      --no-control             Disable both
      --control-password-file <file>
                               Require the password in this file; alternatively, set ${PASSWORD_VARIABLE}

  -h, --help                   Print this help

Exit codes: 0 stopped, 1 failed while running, 2 invalid arguments
`;

const OPTIONS = {
  port: { type: "string", short: "p" },
  ...each({ type: "string" }, "host", "seed", "seed-data", "now", "grace", "max-events"),
  ...each({ type: "string" }, "assumptions", "middleware", "control-password-file"),
  ...each({ type: "string", multiple: true }, "cors"),
  ...each({ type: "boolean" }, "strict", "json", "no-control", "stdin"),
} as const;

/** The parsed arguments of `billing mock`. */
export type MockArguments = Awaited<ReturnType<typeof readArguments>>;

/**
 * Parses the command line.
 *
 * @throws UsageError when an option is unknown or invalid.
 */
export async function readArguments(args: readonly string[], env: EnvironmentVariables, stdin: Readable) {
  const { values } = parseOptions(OPTIONS, args);
  const { assumptions, strict = false, json = false, stdin: stopWithStdin = false } = values;
  const integer = (name: "port" | "seed" | "max-events" | "grace", min: number, max: number) =>
    readInteger(`--${name}`, values[name], min, max);
  return {
    ...{ assumptions, strict, json, stopWithStdin },
    port: integer("port", 0, 65_535) ?? DEFAULT_PORT,
    host: readHost(values.host),
    seed: integer("seed", -(2 ** 31), 2 ** 31 - 1),
    seedData: values["seed-data"],
    now: readTime("--now", values.now),
    cors: values.cors && readCors(values.cors),
    maxEvents: integer("max-events", 0, Number.MAX_SAFE_INTEGER),
    grace: integer("grace", 0, 2 ** 31 - 1) ?? GRACE,
    middleware: await loadMiddleware(values.middleware),
    control: await readControl(values, env, stdin),
  };
}

async function loadMiddleware(path: string | undefined): Promise<Middleware | undefined> {
  if (path === undefined) return undefined;
  const loaded = (await import(pathToFileURL(resolve(path)).href).catch((cause: unknown) => {
    throw new UsageError(`--middleware cannot load ${path}: ${asError(cause).message}`);
  })) as { readonly default?: unknown };
  if (typeof loaded.default === "function") return loaded.default as Middleware;
  throw new UsageError(`--middleware: the default export of ${path} must be a function.`);
}

function readCors(origins: readonly string[]): Assumptions["cors"] {
  if (origins.includes("*")) return "*";
  if (origins.every(isOrigin)) return origins;
  throw new UsageError("--cors must be *, or an origin such as http://localhost:5173.");
}

/** Rejects an empty name, because Node.js would listen on every network interface. */
function readHost(name = "127.0.0.1"): string {
  if (name !== "") return name;
  throw new UsageError("--host is empty; pass a host name or an address, or omit the option.");
}

async function readControl(
  values: Values<typeof OPTIONS>,
  env: EnvironmentVariables,
  stdin: Readable,
): Promise<false | { readonly password?: string }> {
  const file = values["control-password-file"];
  if (values["no-control"] && file !== undefined)
    throw new UsageError("--no-control and --control-password-file cannot be combined.");
  if (values["no-control"]) return false;
  const password = await readPassword(file, env, stdin);
  return password === undefined ? {} : { password };
}
