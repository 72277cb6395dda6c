import { readFileSync } from "node:fs";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import type { Assumptions } from "../assumptions/assumptions.ts";
import { isOrigin } from "../options/field-kinds.ts";
import type { Latency } from "../server/latency.ts";
import { GRACE } from "../server/serve.ts";
import { UsageError } from "./failure.ts";

/** The parsed arguments of the command. */
export interface Command {
  readonly does: "serve" | "help" | "version";
  readonly port: number;
  readonly host: string;
  readonly seed: number | undefined;
  readonly seedData: string | undefined;
  readonly latency: Latency | undefined;
  readonly cors: Assumptions["cors"];
  readonly maxEvents: number | undefined;
  /** In milliseconds. */
  readonly grace: number;
  /** Whether the mock makes the choices of `strict`. */
  readonly strict: boolean;
  readonly json: boolean;
  readonly control: false | { readonly password?: string };
}

/** The port where none is named. */
export const DEFAULT_PORT = 4010;

/** The variable of the environment that holds the password of the control interface. */
export const PASSWORD_VARIABLE = "BILLING_MOCK_PASSWORD";

const OPTIONS = {
  port: { type: "string", short: "p" },
  host: { type: "string" },
  seed: { type: "string" },
  "seed-data": { type: "string" },
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

/** Reads the command line. */
export function readArguments(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Command {
  const values = parse(args);
  return {
    does: values.help ? "help" : values.version ? "version" : "serve",
    port: wholeNumber("--port", values.port, 0, 65_535) ?? DEFAULT_PORT,
    host: readHost(values.host),
    seed: wholeNumber("--seed", values.seed, -(2 ** 31), 2 ** 31 - 1),
    seedData: values["seed-data"],
    latency: readLatency(values.latency),
    cors: readCors(values.cors),
    maxEvents: wholeNumber("--max-events", values["max-events"], 0, Number.MAX_SAFE_INTEGER),
    grace: wholeNumber("--grace", values.grace, 0, 2 ** 31 - 1) ?? GRACE,
    strict: values.strict ?? false,
    json: values.json ?? false,
    control: readControl(values, env[PASSWORD_VARIABLE]),
  };
}

function parse(args: readonly string[]): Values {
  try {
    return parseArgs({ args: withOrigins(args), options: OPTIONS }).values;
  } catch (error) {
    // What Node adds in further sentences is advice for other programs than this one.
    const [said] = (error as Error).message.split(/\.? To specify|\n|\. This command/) as [string];
    throw new UsageError(`${said.replace(/\.$/, "")}; see billing-mock --help.`);
  }
}

/** Gives every origin that follows `--cors` the option in front of it; without any, all origins are meant. */
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
  throw new UsageError(`--cors must be followed by origins, as in http://localhost:5173, not "${invalid}".`);
}

function wholeNumber(flag: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^-?\d+$/.test(text) && value >= min && value <= max) return value;
  throw new UsageError(`${flag} must be an integer from ${min} to ${max}, not "${text}".`);
}

/** An empty name would open the server to every network. */
function readHost(name = "127.0.0.1"): string {
  if (name !== "") return name;
  throw new UsageError("--host is empty; name the host to bind to, or leave the option out.");
}

function readLatency(text: string | undefined): Latency | undefined {
  if (text === undefined) return undefined;
  const [, min, max] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  const range = [Number(min), Number(max ?? min)] as const;
  if (min !== undefined && range[0] <= range[1] && range[1] < 2 ** 31) return range;
  throw new UsageError(`--latency must be milliseconds, as in 50 or 20-80, not "${text}".`);
}

function readControl(values: Values, fromEnvironment: string | undefined): Command["control"] {
  const file = values["control-password-file"];
  if (values["no-control"]) {
    if (file === undefined) return false;
    throw new UsageError("--no-control and --control-password-file exclude each other.");
  }
  const password = file === undefined ? fromEnvironment : readFile("--control-password-file", file).trim();
  if (password === "") throw new UsageError("The password of the control interface is empty.");
  return password === undefined ? {} : { password };
}

/** Reads a file that an option names. */
export function readFile(flag: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === "ENOENT"
        ? "there is no such file"
        : code === "EISDIR"
          ? "it is a folder"
          : `it cannot be read (${code})`;
    throw new UsageError(`${flag} ${path}: ${why}.`);
  }
}
