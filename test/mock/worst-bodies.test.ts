import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { type MockOptions, strict } from "../../mock/index.ts";
import { worstBodies } from "../support/worst-bodies.ts";

/** Far more than they need on an idle machine, and far less than an inefficient service needs. */
const PATIENCE = 240_000;

/** Processes the worst bodies in a thread with a heap of 160 MB, which crashes if it needs more. */
async function statuses(options: MockOptions): Promise<Record<string, number>> {
  const resourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 48 };
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
    expect(Object.values(found).filter((status) => ![200, 201, 413, 422].includes(status))).toEqual([]);
  });
});
