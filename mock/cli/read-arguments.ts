import { readFileSync } from "node:fs";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import type { Assumptions } from "../assumptions/assumptions.ts";
import { isOrigin } from "../options/field-kinds.ts";
import type { Latency } from "../server/latency.ts";
import { GRACE } from "../server/serve.ts";
import { UsageError } from "./usage-error.ts";

/** The parsed arguments of the command. */
export interface Command {
  readonly does: "serve" | "help" | "version";
  readonly port: number;
  readonly host: string;
  readonly seed: number | undefined;
  readonly seedData: string | undefined;
  /** The time of the mock when it starts, in milliseconds since 1970; undefined for the system clock. */
  readonly now: number | undefined;
  readonly latency: Latency | undefined;
  readonly cors: Assumptions["cors"];
  readonly maxEvents: number | undefined;
  /** In milliseconds. */
  readonly grace: number;
  /** Whether to use the assumptions of `strict`. */
  readonly strict: boolean;
  readonly json: boolean;
  readonly control: false | { readonly password?: string };
}

/** The default of `--port`. */
export const DEFAULT_PORT = 4010;

/** The environment variable for the password of the control API. */
export const PASSWORD_VARIABLE = "BILLING_MOCK_PASSWORD";

const OPTIONS = {
  port: { type: "string", short: "p" },
  host: { type: "string" },
  seed: { type: "string" },
  "seed-data": { type: "string" },
  now: { type: "string" },
  latency: { type: "string" },
  grace: { type: "string" },
  strict: { type: "boolean" },
  cors: { type: "string", multiple: true },
  "max-events": { type: "string" },
  json: { type: "boolean" },
  "no-control": { type: "boolean" },
  "control-password-file": { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const satisfies ParseArgsOptionsConfig;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];

/**
 * Parses the command line.
 *
 * @throws UsageError when an option is unknown or invalid.
 */
export function readArguments(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Command {
  const values = parse(args);
  return {
    does: values.help ? "help" : values.version ? "version" : "serve",
    port: readInteger("--port", values.port, 0, 65_535) ?? DEFAULT_PORT,
    host: readHost(values.host),
    seed: readInteger("--seed", values.seed, -(2 ** 31), 2 ** 31 - 1),
    seedData: values["seed-data"],
    now: readTime("--now", values.now),
    latency: readLatency(values.latency),
    cors: readCors(values.cors),
    maxEvents: readInteger("--max-events", values["max-events"], 0, Number.MAX_SAFE_INTEGER),
    grace: readInteger("--grace", values.grace, 0, 2 ** 31 - 1) ?? GRACE,
    strict: values.strict ?? false,
    json: values.json ?? false,
    control: readControl(values, env[PASSWORD_VARIABLE]),
  };
}

function parse(args: readonly string[]): Values {
  try {
    return parseArgs({ args: withOrigins(args), options: OPTIONS }).values;
  } catch (error) {
    // The other sentences of Node.js are advice that does not apply here.
    const [reason] = (error as Error).message.split(/\.? To specify|\n|\. This command/) as [string];
    throw new UsageError(`${reason.replace(/\.$/, "")}; see billing-mock --help.`);
  }
}

/** Repeats `--cors` before each of its origins, as `parseArgs` requires. Without a value, it allows all origins. */
function withOrigins(args: readonly string[]): string[] {
  const result: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] as string;
    if (arg !== "--cors") result.push(arg);
    else if (!isValue(args[index + 1])) result.push("--cors=*");
    else while (isValue(args[index + 1])) result.push(`--cors=${args[++index]}`);
  }
  return result;
}

function isValue(arg: string | undefined): boolean {
  return arg !== undefined && !arg.startsWith("-");
}

function readCors(origins: readonly string[] = []): Assumptions["cors"] {
  if (origins.includes("*")) return "*";
  const invalid = origins.find((origin) => !isOrigin(origin));
  if (invalid === undefined) return origins;
  throw new UsageError(`--cors: "${invalid}" is not an origin; an origin looks like http://localhost:5173.`);
}

function readInteger(flag: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^-?\d+$/.test(text) && value >= min && value <= max) return value;
  throw new UsageError(`${flag} must be an integer from ${min} to ${max}, not "${text}".`);
}

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** Reads a date, or a date and time with its zone: without one, it would depend on the machine. */
function readTime(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new UsageError(`${flag} must be a date, or a time with its zone such as 2025-03-01T00:00:00Z, not "${text}".`);
}

/** Rejects an empty name, because Node.js would listen on every network interface. */
function readHost(name = "127.0.0.1"): string {
  if (name !== "") return name;
  throw new UsageError("--host is empty; give a host name or an address, or omit the option.");
}

function readLatency(text: string | undefined): Latency | undefined {
  if (text === undefined) return undefined;
  const [, min, max] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  const range = [Number(min), Number(max ?? min)] as const;
  if (min !== undefined && range[0] <= range[1] && range[1] < 2 ** 31) return range;
  throw new UsageError(`--latency must be a number of milliseconds or a range, such as 50 or 20-80, not "${text}".`);
}

function readControl(values: Values, fromEnvironment: string | undefined): Command["control"] {
  const file = values["control-password-file"];
  if (values["no-control"]) {
    if (file === undefined) return false;
    throw new UsageError("--no-control and --control-password-file cannot be combined.");
  }
  const password = file === undefined ? fromEnvironment : readFile("--control-password-file", file).trim();
  if (password === "")
    throw new UsageError(
      `The password of the control API is empty; check ${file === undefined ? PASSWORD_VARIABLE : file}.`,
    );
  return password === undefined ? {} : { password };
}

/**
 * Reads the file that an option names.
 *
 * @throws UsageError when the file cannot be read.
 */
export function readFile(flag: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === "ENOENT" ? "file not found" : code === "EISDIR" ? "this is a folder" : `cannot be read (${code})`;
    throw new UsageError(`${flag} ${path}: ${why}.`);
  }
}
