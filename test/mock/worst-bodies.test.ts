import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it, vi } from "vitest";
import { openAdapter } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";
import { INGEST, worstBodies } from "../support/worst-bodies.ts";

/** Far more than they need on an idle machine, and far less than an inefficient service needs. */
const PATIENCE = 240_000;

it("G-PROTO: a body is parsed without a function for each of its values, also if `__proto__` is one of them", async () => {
  const { send } = await openAdapter();
  const body = JSON.stringify({ events: [usage({ name: "__proto__", metadata: { my__proto__: '"__proto__":' } })] });
  const parse = vi.spyOn(JSON, "parse");
  const { status } = await send(`POST ${INGEST}`, { body });
  const calls = parse.mock.calls.filter(([text]) => text === body);
  expect([status, calls]).toEqual([200, [[body, undefined]]]);
});

it("G-422-MAX, G-VALUES, G-DEPTH: the worst bodies of 10 MiB are processed in little memory", {
  timeout: PATIENCE,
}, async () => {
  // The thread crashes if it needs more.
  const resourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 48 };
  const worker = new Worker(new URL("../support/small-heap.ts", import.meta.url), { resourceLimits });
  const found: [string, number][] = [];
  worker.on("message", (message) => found.push(message));
  await once(worker, "exit");
  const expected = Object.entries(worstBodies).map(([name, { status }]) => [name, status]);
  expect(found).toEqual(expected);
});
