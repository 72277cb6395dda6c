import { constants } from "node:os";
import type { MockServer } from "../server/serve.ts";

/**
 * Stops the server on SIGINT or SIGTERM after active requests have finished, or after the grace time in milliseconds. A
 * second signal ends the process immediately.
 */
export function stopOnSignal(server: MockServer, grace: number): void {
  let stopping = false;
  const stop = async (signal: "SIGINT" | "SIGTERM") => {
    if (stopping) process.exit(128 + constants.signals[signal]);
    stopping = true;
    await server.close({ grace });
    process.exit(0);
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
}
