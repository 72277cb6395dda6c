import { constants } from "node:os";
import type { MockServer } from "../server/serve.ts";

const CHECK_PARENT_EVERY = 500;

/**
 * Stops the server on SIGINT or SIGTERM after active requests have finished, or after the grace time in milliseconds. A
 * second signal ends the process immediately.
 */
export function stopOnSignal(
  server: MockServer,
  grace: number,
  env: Readonly<Record<string, string | undefined>>,
): void {
  let stopping = false;
  const stop = async (signal: "SIGINT" | "SIGTERM") => {
    if (stopping) process.exit(128 + constants.signals[signal]);
    stopping = true;
    await server.close({ grace });
    process.exit(0);
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  if (env["npm_lifecycle_event"] === "npx") whenParentEnds(() => void stop("SIGTERM"));
}

/** npx passes a signal only to the shell between it and this process, so that the shell ends and nothing arrives here. */
function whenParentEnds(action: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    action();
  }, CHECK_PARENT_EVERY).unref();
}
