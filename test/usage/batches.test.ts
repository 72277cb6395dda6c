import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ingestAll } from "../../src/usage/index.ts";
import { addAll, buffered, eventsOf, service, through } from "./service.ts";

describe("batches", () => {
  it("have at most maxBatchEvents events, and are sent at once when they are full", async () => {
    const { add, batches, mock, usage } = buffered({ maxDelay: 60_000, maxBatchEvents: 10 });
    await add(25);
    await expect.poll(() => mock.events.size).toBe(20);
    await sleep(30);
    expect(batches()).toEqual([10, 10]);
    await usage.flush();
    expect(batches()).toEqual([10, 10, 5]);
  });

  it("have bodies of at most maxBatchBytes in UTF-8, and are sent at once when they reach it", async () => {
    const sizes: number[] = [];
    const { mock, usage } = buffered(
      { maxBatchBytes: 20_000, maxBatchEvents: 10_000, maxDelay: 60_000 },
      through(async (request) => {
        sizes.push((await request.clone().arrayBuffer()).byteLength);
      }),
    );
    const large = eventsOf(100).map((event) => ({ ...event, metadata: { note: "é😀".repeat(150) } }));
    await addAll(usage, large);
    await expect.poll(() => mock.events.size).toBeGreaterThan(80);
    await usage.flush();
    expect(mock.events.size).toBe(100);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20_000);
    expect(sizes.length).toBeLessThanOrEqual(7);
  });

  it("of ingestAll accept the largest possible event, alone in its request", async () => {
    const { billing, mock } = service();
    const event = { ...eventsOf(1)[0]!, metadata: { text: "" } };
    event.metadata.text = "x".repeat(10 * 1024 * 1024 - 13 - JSON.stringify(event).length);
    await ingestAll(billing, [event, ...eventsOf(2, 2)]);
    expect(mock.events.size).toBe(3);
    // The mock keeps only the beginning of a body as long as that of the largest event.
    const bodies = mock.requests.to("events:ingest").map(({ body }) => body);
    expect(bodies.filter((body) => typeof body === "string")).toHaveLength(1);
    expect(bodies).toContainEqual({ events: [expect.anything(), expect.anything()] });
    expect(bodies).toHaveLength(2);
  });
});
