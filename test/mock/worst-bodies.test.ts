import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { createMock, type MockOptions, strict } from "../../mock/index.ts";
import { usage } from "../support/samples.ts";
import { worstBodies } from "../support/worst-bodies.ts";

/** Far more than they need on an idle machine, and far less than an inefficient service needs. */
const PATIENCE = 240_000;

/** Processes the worst bodies in a thread with a heap of 300 MB, which crashes if it needs more. */
async function statuses(options: MockOptions): Promise<Record<string, number>> {
  const resourceLimits = { maxOldGenerationSizeMb: 300, maxYoungGenerationSizeMb: 48 };
  const worker = new Worker(new URL("../support/small-heap.ts", import.meta.url), {
    workerData: options,
    resourceLimits,
  });
  const found: [string, number][] = [];
  worker.on("message", (message) => found.push(message));
  await once(worker, "exit");
  return Object.fromEntries(found);
}

describe("the worst bodies of 10 MiB", () => {
  const bodies = Object.entries(worstBodies);

  it("G-422-MAX, G-VALUES, G-DEPTH: are processed in little memory", { timeout: PATIENCE }, async () => {
    const expected = Object.fromEntries(bodies.map(([name, { status }]) => [name, status]));
    expect(await statuses({})).toEqual(expected);
  });

  it("G-422-MAX: are processed in little memory with other assumptions", {
    timeout: PATIENCE,
  }, async () => {
    const { rateLimit: _, ...choices } = strict;
    const assumptions = { ...choices, bothCustomerIds: "accept", nullFields: "accept" } as const;
    const found = await statuses({ assumptions });
    expect(Object.keys(found)).toEqual(bodies.map(([name]) => name));
    expect(Object.values(found).filter((status) => status !== 200 && status !== 422)).toEqual([]);
  });
});

describe("a large body", () => {
  const batch = JSON.stringify({ events: Array.from({ length: 60_000 }, () => usage()) });

  function ingesting() {
    const mock = createMock();
    const token = mock.issueToken();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const url = `${mock.baseUrls[0]}/v1`;
    const answer = mock.fetch(`${url}/events/ingest`, { method: "POST", headers, body: batch });
    return { mock, token, answer, read: () => mock.fetch(`${url}/products/`, { headers }) };
  }

  it("does not block other requests while it is checked", async () => {
    const { answer, read } = ingesting();
    let answered = 0;
    let over = false;
    const end = answer.finally(() => {
      over = true;
    });
    while (!over) {
      await new Promise(setImmediate);
      if ((await read()).status === 200) answered += 1;
    }
    expect(await (await end).json()).toEqual({ inserted: 60_000, duplicates: 0 });
    expect(answered).toBeGreaterThan(20);
  });

  it("G-401-BAD: stores nothing if its credential is revoked meanwhile", async () => {
    const { mock, token, answer, read } = ingesting();
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    mock.revokeToken(token);
    expect((await read()).status).toBe(401);
    expect((await answer).status).toBe(401);
    expect(mock.events.size).toBe(0);
  });
});
