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

/** Looks up the console for each message, since a tool may replace it. A logger that throws does not fail the call. */
function writer(logger: () => Logger, level: "debug" | "warn"): Write {
  return (message, details) => {
    try {
      const target = logger();
      if (takesObjectFirst(target)) target[level](details, message);
      else target[level](message, details);
    } catch {
      // The outcome of a call does not depend on its log.
    }
  };
}

interface ObjectFirstLogger {
  debug(details: Details, message: string): void;
  warn(details: Details, message: string): void;
}

/** Recognizes pino and bunyan by a method that only their loggers have. */
function takesObjectFirst(logger: object): logger is ObjectFirstLogger {
  return ["bindings", "addSerializers"].some((name) => typeof (logger as Details)[name] === "function");
}
