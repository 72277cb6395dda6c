import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it, vi } from "vitest";
import { createMock } from "../../mock/index.ts";
import { usage } from "../support/samples.ts";
import { INGEST, worstBodies } from "../support/worst-bodies.ts";

/** Far more than they need on an idle machine, and far less than an inefficient service needs. */
const PATIENCE = 240_000;

it("G-PROTO: a body is parsed without a function for each of its values, also if `__proto__` is one of them", async () => {
  const mock = createMock();
  const body = JSON.stringify({ events: [usage({ name: "__proto__", metadata: { my__proto__: '"__proto__":' } })] });
  const parse = vi.spyOn(JSON, "parse");
  const headers = { authorization: `Bearer ${mock.issueToken()}`, "content-type": "application/json" };
  const { status } = await mock.fetch(`${mock.baseUrls[0]}${INGEST}`, { method: "POST", headers, body });
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
