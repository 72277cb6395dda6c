import { InvalidInputError } from "../errors/index.ts";
import { checkFunctions } from "./option-checks.ts";
import type { Logger, LogLevel } from "./options.ts";

type Details = Readonly<Record<string, unknown>>;
type Write = (message: string, details: Details) => void;

/** What the client says goes here: a function for each level that somebody hears, in the logger's order of arguments. */
export interface Log {
  readonly debug: Write | undefined;
  readonly warn: Write | undefined;
}

const LEVELS: readonly LogLevel[] = ["debug", "warn", "off"];

/** Checks a logger and a level. Without a logger, warnings go to the console. */
export function readLog(logger: Logger | undefined, level: LogLevel = "debug"): Log {
  if (!LEVELS.includes(level)) throw new InvalidInputError("logLevel", 'must be "debug", "warn" or "off"');
  const checked = logger === undefined ? undefined : checkFunctions("logger", logger, ["debug", "warn"], true);
  return {
    debug: checked === undefined || level !== "debug" ? undefined : writer(() => checked, "debug"),
    warn: level === "off" ? undefined : writer(() => checked ?? console, "warn"),
  };
}

/** The console is looked up for each message, since a tool may replace it. A logger that fails does not fail the call. */
function writer(logger: () => Logger, level: "debug" | "warn"): Write {
  return (message, details) => {
    try {
      const target = logger();
      if (takesObjectFirst(target)) target[level](details, message);
      else target[level](message, details);
    } catch {
      // What a call came to does not depend on its log.
    }
  };
}

interface ObjectFirstLogger {
  debug(details: Details, message: string): void;
  warn(details: Details, message: string): void;
}

/** Recognizes pino and bunyan by a method that each logger of theirs has, and others do not. */
function takesObjectFirst(logger: object): logger is ObjectFirstLogger {
  return ["bindings", "addSerializers"].some((name) => typeof (logger as Details)[name] === "function");
}
