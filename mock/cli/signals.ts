import { constants } from "node:os";
import type { MockServer } from "../server/serve.ts";

/**
 * Stops the server on SIGINT or SIGTERM: when it has finished what it is answering, at the latest after the grace time in
 * milliseconds; on a second signal, at once.
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
