import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { SEND, worstBodies } from "../support/worst-bodies.ts";

/** Far more than they need on an idle machine, and far less than an inefficient service needs. */
const PATIENCE = 240_000;

it("G-422-MAX, G-EVT-MAX, G-DEPTH: the worst bodies of 10 MiB are processed in bounded memory", {
  timeout: PATIENCE,
}, async () => {
  // The thread crashes if it needs more.
  const resourceLimits = { maxOldGenerationSizeMb: 640, maxYoungGenerationSizeMb: 48 };
  const file = new URL("../support/worst-bodies.ts", import.meta.url);
  const worker = new Worker(file, { workerData: SEND, resourceLimits });
  const found: [string, number][] = [];
  worker.on("message", (message) => found.push(message));
  await once(worker, "exit");
  expect(found).toEqual(worstBodies.map(([name, status]) => [name, status]));
});
