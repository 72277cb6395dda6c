import type { ParseArgsOptionsConfig } from "node:util";
import { DEFAULT_PORT, readPassword } from "../../terminal/mock-server.ts";
import { type ParsedOptions, parseOptions } from "../../terminal/parse-options.ts";
import { readInteger } from "../../terminal/read-integer.ts";
import { readTime } from "../../terminal/read-time.ts";
import { UsageError } from "../../terminal/usage-error.ts";
import type { Assumptions } from "../assumptions/assumptions.ts";
import { isOrigin } from "../options/field-kinds.ts";
import type { Latency } from "../server/latency.ts";
import { GRACE } from "../server/serve.ts";

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
  /** Undefined without `--cors`. */
  readonly cors: Assumptions["cors"] | undefined;
  readonly maxEvents: number | undefined;
  readonly maxEventBytes: number | undefined;
  /** In milliseconds. */
  readonly grace: number;
  /** The JSON file of `--assumptions`. */
  readonly assumptions: string | undefined;
  /** Whether to use the assumptions of `strict`. */
  readonly strict: boolean;
  readonly json: boolean;
  readonly control: false | { readonly password?: string };
}

const OPTIONS = {
  port: { type: "string", short: "p" },
  host: { type: "string" },
  seed: { type: "string" },
  "seed-data": { type: "string" },
  now: { type: "string" },
  latency: { type: "string" },
  grace: { type: "string" },
  assumptions: { type: "string" },
  strict: { type: "boolean" },
  cors: { type: "string", multiple: true },
  "max-events": { type: "string" },
  "max-event-bytes": { type: "string" },
  json: { type: "boolean" },
  "no-control": { type: "boolean" },
  "control-password-file": { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const satisfies ParseArgsOptionsConfig;

type Values = ParsedOptions<typeof OPTIONS>["values"];

/**
 * Parses the command line.
 *
 * @throws UsageError when an option is unknown or invalid.
 */
export function readArguments(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Command {
  const { values } = parseOptions(withOrigins(args), { command: "billing-mock", options: OPTIONS });
  return {
    does: values.help ? "help" : values.version ? "version" : "serve",
    port: readInteger("--port", values.port, 0, 65_535) ?? DEFAULT_PORT,
    host: readHost(values.host),
    seed: readInteger("--seed", values.seed, -(2 ** 31), 2 ** 31 - 1),
    seedData: values["seed-data"],
    now: readTime("--now", values.now),
    latency: readLatency(values.latency),
    cors: values.cors && readCors(values.cors),
    maxEvents: readInteger("--max-events", values["max-events"], 0, Number.MAX_SAFE_INTEGER),
    maxEventBytes: readInteger("--max-event-bytes", values["max-event-bytes"], 0, Number.MAX_SAFE_INTEGER),
    grace: readInteger("--grace", values.grace, 0, 2 ** 31 - 1) ?? GRACE,
    assumptions: values.assumptions,
    strict: values.strict ?? false,
    json: values.json ?? false,
    control: readControl(values, env),
  };
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

function readCors(origins: readonly string[]): Assumptions["cors"] {
  if (origins.includes("*")) return "*";
  const invalid = origins.find((origin) => !isOrigin(origin));
  if (invalid === undefined) return origins;
  throw new UsageError(`--cors: "${invalid}" is not an origin; an origin looks like http://localhost:5173.`);
}

/** Rejects an empty name, because Node.js would listen on every network interface. */
function readHost(name = "127.0.0.1"): string {
  if (name !== "") return name;
  throw new UsageError("--host is empty; pass a host name or an address, or omit the option.");
}

function readLatency(text: string | undefined): Latency | undefined {
  if (text === undefined) return undefined;
  const [, min, max] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  const range = [Number(min), Number(max ?? min)] as const;
  if (min !== undefined && range[0] <= range[1] && range[1] < 2 ** 31) return range;
  throw new UsageError(`--latency must be a number of milliseconds or a range, such as 50 or 20-80, not "${text}".`);
}

function readControl(values: Values, env: Readonly<Record<string, string | undefined>>): Command["control"] {
  const file = values["control-password-file"];
  if (values["no-control"]) {
    if (file === undefined) return false;
    throw new UsageError("--no-control and --control-password-file cannot be combined.");
  }
  const password = readPassword("--control-password-file", file, env);
  return password === undefined ? {} : { password };
}
