import type { Logger } from "./options.ts";

type Details = Readonly<Record<string, unknown>>;

/** Warns through the logger, or through the console where there is none. A logger that fails does not fail the call. */
export function warn(logger: Logger | undefined, message: string, details: Details): void {
  quietly(() => (logger ?? console).warn(message, details));
}

/** Tells the logger what happened, where there is one. */
export function debug(logger: Logger | undefined, message: string, details: Details): void {
  if (logger !== undefined) quietly(() => logger.debug(message, details));
}

function quietly(log: () => void): void {
  try {
    log();
  } catch {
    // What a call came to does not depend on its log.
  }
}
