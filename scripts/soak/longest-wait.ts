import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Report } from "./report.ts";

/** The outcome of a short request. */
export interface ShortRequest {
  /** The status of the response, or the code of the failure. */
  readonly outcome: number | string;
  readonly milliseconds: number;
}

/**
 * Sends short requests while `work` runs, and returns the longest response time in milliseconds. Sends them from another
 * thread, so that the work of this one does not count.
 */
export async function longestWaitDuring(
  report: Report,
  { url, token }: { readonly url: string; readonly token: string },
  work: () => Promise<unknown>,
): Promise<number> {
  let longest = 0;
  const requests = new Worker(new URL("./short-requests.ts", import.meta.url), { workerData: { url, token } });
  const ended = once(requests, "exit");
  const first = once(requests, "message");
  requests.on("message", ({ outcome, milliseconds }: ShortRequest) => {
    report.answered(outcome, milliseconds);
    longest = Math.max(longest, milliseconds);
    if (outcome !== 200) report.violation(`a short request got ${outcome}`);
  });
  await first;
  longest = 0;
  try {
    await work();
  } finally {
    // The thread ends after the response that it waits for.
    requests.postMessage("stop");
    await ended;
  }
  return longest;
}
