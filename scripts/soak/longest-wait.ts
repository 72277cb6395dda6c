import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { Report } from "./report.ts";

/** The time between two requests, in milliseconds. */
const PAUSE = 20;

/** The timeout of a request, in milliseconds. */
const TIMEOUT = 60_000;

/** The outcome of a short request. */
interface ShortRequest {
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
  const requests = new Worker(new URL(import.meta.url), { workerData: { url, token } });
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

/** Sends short requests, one after another, and posts the outcome of each, until it receives a message. */
async function sendUntilStopped(): Promise<void> {
  let isStopped = false;
  parentPort?.once("message", () => {
    isStopped = true;
  });
  while (!isStopped) {
    parentPort?.postMessage(await send(workerData));
    await setTimeout(PAUSE);
  }
}

async function send({ url, token }: { url: string; token: string }): Promise<ShortRequest> {
  const started = performance.now();
  const outcome = await fetch(`${url}/v1/products/`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(TIMEOUT),
  }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    ({ name, cause }: Error) => (cause as { code?: string } | undefined)?.code ?? name,
  );
  return { outcome, milliseconds: performance.now() - started };
}

if (!isMainThread) await sendUntilStopped();
