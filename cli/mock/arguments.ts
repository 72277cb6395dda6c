import { basename, resolve } from "node:path";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { Middleware, Mock } from "../../mock/api/mock.ts";
import { type AssumptionChoices, readAssumptions } from "../../mock/assumptions/assumptions.ts";
import { COLLECTIONS, type CollectionName } from "../../mock/control/client.ts";
import { isObject, unknownName } from "../../mock/options/field-types.ts";
import { GRACE } from "../../mock/server/serve.ts";
import type { Collection } from "../../mock/state/collection.ts";
import { MAX_EVENTS } from "../../mock/state/state.ts";
import type { TokenInput } from "../../mock/state/tokens.ts";
import { asError } from "../../src/values/describe.ts";
import {
  DEFAULT_PORT,
  each,
  PASSWORD_VARIABLE,
  parseOptions,
  passwordFrom,
  readInteger,
  UsageError,
} from "../shared/arguments.ts";
import { readText } from "../shared/files.ts";
import { type EnvironmentVariables, messageOf } from "../shared/terminal.ts";

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
                               Assumptions that differ from the defaults; see docs/failures-and-time.md
      --middleware <file.mjs>  Module whose default export answers requests; see docs/failures-and-time.md
      --strict                 Also reject what comparable APIs reject; see docs/failures-and-time.md

Control API and inspector, at /__mock:
      --no-control             Disable both; to require a password, set ${PASSWORD_VARIABLE}

  -h, --help                   Print this help

Exit codes: 0 stopped, 1 failed while running, 2 invalid arguments
`;

const OPTIONS = {
  port: { type: "string", short: "p" },
  ...each({ type: "string" }, "host", "seed", "seed-data", "now", "grace", "max-events", "assumptions", "middleware"),
  ...each({ type: "boolean" }, "strict", "json", "no-control", "stdin"),
} as const;

/** The parsed arguments of `billing mock`. */
export type MockArguments = ReturnType<typeof readArguments>;

/**
 * Parses the command line.
 *
 * @throws UsageError when an option is unknown or invalid.
 */
export function readArguments(args: readonly string[], env: EnvironmentVariables) {
  const { values } = parseOptions(OPTIONS, args);
  const { assumptions, middleware, strict = false, json = false, stdin: stopWithStdin = false } = values;
  const integer = (name: "port" | "seed" | "max-events" | "grace", min: number, max: number) =>
    readInteger(`--${name}`, values[name], min, max);
  const password = values["no-control"] ? undefined : passwordFrom(env);
  return {
    ...{ assumptions, middleware, strict, json, stopWithStdin },
    port: integer("port", 0, 65_535) ?? DEFAULT_PORT,
    // With an empty name, Node.js would listen on every network interface.
    host: values.host || "127.0.0.1",
    seed: integer("seed", -(2 ** 31), 2 ** 31 - 1),
    seedData: values["seed-data"],
    now: readTime(values.now),
    maxEvents: integer("max-events", 0, Number.MAX_SAFE_INTEGER),
    grace: integer("grace", 0, 2 ** 31 - 1) ?? GRACE,
    control: !values["no-control"] && (password === undefined ? {} : { password }),
  };
}

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * Reads the value of `--now`: a date, or a date and time with a time zone, without which it would depend on the machine.
 * Returns milliseconds since 1970; undefined without a value.
 *
 * @throws UsageError unless it is one.
 */
function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  // `Date` reads February 30 as March 2.
  const isDate = TIME.test(text) && new Date(text.slice(0, 10)).toJSON()?.startsWith(text.slice(0, 10));
  const time = isDate ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  const expected = "a date, or a date and time with a time zone, such as 2025-03-01T00:00:00Z";
  throw new UsageError(`--now must be ${expected}, not "${text}".`);
}

/** Loads the module of `--middleware`. Throws a UsageError unless its default export is a function. */
export async function loadMiddleware(path: string): Promise<Middleware> {
  const loaded = (await import(pathToFileURL(resolve(path)).href).catch((cause: unknown) => {
    throw new UsageError(`--middleware cannot load ${path}: ${asError(cause).message}`);
  })) as { readonly default?: unknown };
  if (typeof loaded.default === "function") return loaded.default as Middleware;
  throw new UsageError(`--middleware: the default export of ${path} must be a function.`);
}

/**
 * Reads the file of `--assumptions`: the same JSON that `createMock({ assumptions })` takes.
 *
 * @throws UsageError when the file is not valid; its message is one line that names the assumption.
 */
export async function loadAssumptions(path: string, stdin: Readable): Promise<AssumptionChoices> {
  const given = await readObject("--assumptions", path, stdin);
  try {
    readAssumptions(given, `--assumptions ${basename(path)}`);
    return given;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/**
 * Creates the records and tokens of a seed file.
 *
 * @throws UsageError when the file is not valid; its message is one line that names the record and the field.
 */
export async function loadSeedFile(path: string, mock: Mock, stdin: Readable): Promise<void> {
  const file = `--seed-data ${basename(path)}`;
  const data = await readObject("--seed-data", path, stdin);
  const names = [...(Object.keys(COLLECTIONS) as CollectionName[]), "tokens"] as const;
  const unknown = Object.keys(data).find((name) => !names.includes(name as CollectionName));
  if (unknown !== undefined) throw new UsageError(`${file}: ${unknownName("field", unknown, names)}`);
  for (const name of names) {
    const { [name]: list = [] } = data;
    if (!Array.isArray(list)) throw new UsageError(`${file}: ${name}: must be an array.`);
    for (const [index, fields] of list.entries()) {
      try {
        if (name === "tokens") mock.issueToken(withIds(fields, mock));
        else (mock[name] as Collection<object, object>).create(fields);
      } catch (error) {
        throw new UsageError(`${file}: ${name}[${index}]: ${messageOf(error)}`);
      }
    }
  }
}

/** Returns the fields of a token with the ids of its organization and its user: a file may name their slug and email. */
function withIds(fields: TokenInput, { organizations, users }: Mock): TokenInput {
  const organization = organizations.list().find(({ slug }) => slug === fields.organization)?.id;
  const user = users.list().find(({ email }) => email === fields.user)?.id;
  return { ...fields, ...(organization && { organization }), ...(user && { user }) };
}

/** Reads the JSON object in the file of an option. */
async function readObject(flag: string, path: string, stdin: Readable): Promise<Readonly<Record<string, unknown>>> {
  const text = await readText(`${flag} ${path}`, path, stdin);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${flag} ${basename(path)}: not valid JSON: ${(error as Error).message}.`);
  }
  if (isObject(value)) return value;
  throw new UsageError(`${flag} ${basename(path)}: must contain a JSON object.`);
}
