import type { Checks } from "../errors/checks.ts";
import type { Logger, LogLevel } from "./options.ts";

type Details = Readonly<Record<string, unknown>>;
type Write = (message: string, details: Details) => void;

/** Writes the client's messages: one function per enabled level, adapted to the logger's order of arguments. */
export interface Log {
  readonly debug: Write | undefined;
  readonly warn: Write | undefined;
}

interface LogOptions {
  readonly logger?: Logger | undefined;
  readonly logLevel?: LogLevel | undefined;
}

const LEVELS: readonly LogLevel[] = ["debug", "warn", "off"];

/** Checks a logger and its level. The default logger is the console, with warnings only. */
export function readLog(check: Checks, { logger, logLevel }: LogOptions): Log {
  const level = check.oneOf("logLevel", logLevel ?? (logger === undefined ? "warn" : "debug"), LEVELS);
  if (logger !== undefined) check.methods("logger", logger, ["debug", "warn"], true);
  return {
    debug: level === "debug" ? writer(() => logger ?? console, "debug") : undefined,
    warn: level === "off" ? undefined : writer(() => logger ?? console, "warn"),
  };
}

/** Looks up the console for each message, since a tool may replace it. A logger that fails does not fail the call. */
function writer(logger: () => Logger, level: "debug" | "warn"): Write {
  const write = async (message: string, details: Details): Promise<unknown> => {
    const target = logger();
    return takesObjectFirst(target) ? target[level](details, message) : target[level](message, details);
  };
  return (message, details) => void write(message, details).catch(() => undefined);
}

interface ObjectFirstLogger {
  debug(details: Details, message: string): unknown;
  warn(details: Details, message: string): unknown;
}

/** Recognizes pino and bunyan by a method that only their loggers have. */
function takesObjectFirst(logger: object): logger is ObjectFirstLogger {
  return ["bindings", "addSerializers"].some((name) => typeof (logger as Details)[name] === "function");
}
