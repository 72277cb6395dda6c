/** Sends short requests, one after another, and posts the outcome of each, until it receives a message. */
import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { ShortRequest } from "./longest-wait.ts";

/** The time between two requests, in milliseconds. */
const PAUSE = 20;

/** The timeout of a request, in milliseconds. */
const TIMEOUT = 60_000;

const { url, token } = workerData as { url: string; token: string };
let isStopped = false;
parentPort?.once("message", () => {
  isStopped = true;
});
while (!isStopped) {
  parentPort?.postMessage(await send());
  await setTimeout(PAUSE);
}

async function send(): Promise<ShortRequest> {
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
