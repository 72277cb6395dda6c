import { describe, expect, it, vi } from "vitest";
import { createClient } from "../../versions/2025-01/index.ts";
import { buffer, eventsOf, service, sleep } from "./service.ts";

describe("batches", () => {
  it("have at most maxBatchEvents events", async () => {
    const { billing, batches } = service();
    const usage = buffer(billing, { maxBatchEvents: 40 });
    await Promise.all(eventsOf(100).map((event) => usage.add(event)));
    await usage.flush();
    expect(batches().sort((a, b) => b - a)).toEqual([40, 40, 20]);
  });

  it("have bodies of at most maxBatchBytes in UTF-8", async () => {
    const sizes: number[] = [];
    const { mock, token } = service();
    const fetch = async (request: Request): Promise<Response> => {
      sizes.push((await request.clone().arrayBuffer()).byteLength);
      return mock.fetch(request);
    };
    const billing = createClient({ accessToken: token, fetch });
    const usage = buffer(billing, { maxBatchBytes: 20_000 });
    const events = eventsOf(100).map((event) => ({ ...event, metadata: { note: "é😀".repeat(150) } }));
    await Promise.all(events.map((event) => usage.add(event)));
    await usage.flush();
    expect(mock.events.size).toBe(100);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20_000);
    expect(sizes.length).toBeLessThanOrEqual(7);
  });

  it("are sent at once when they are full", async () => {
    const { billing, mock } = service();
    const usage = buffer(billing, { maxDelay: 60_000, maxBatchEvents: 10 });
    await Promise.all(eventsOf(25).map((event) => usage.add(event)));
    await vi.waitFor(() => expect(mock.events.size).toBe(20));
    await sleep(30);
    expect(mock.events.size).toBe(20);
  });

  it("are sent at once when they reach maxBatchBytes", async () => {
    const { billing, mock } = service();
    const usage = buffer(billing, { maxDelay: 60_000, maxBatchBytes: 2_000 });
    await usage.add({ ...eventsOf(1)[0]!, metadata: { note: "x".repeat(3_000) } });
    await vi.waitFor(() => expect(mock.events.size).toBe(1));
  });

  it("are sent after maxDelay when they are not full", async () => {
    const { billing, mock } = service();
    const usage = buffer(billing, { maxDelay: 50 });
    const started = performance.now();
    await usage.add(eventsOf(1)[0]!);
    await sleep(20);
    await usage.add(eventsOf(1, 2)[0]!);
    await vi.waitFor(() => expect(mock.events.size).toBe(2), { interval: 1 });
    expect(performance.now() - started).toBeGreaterThanOrEqual(45);
  });

  it("accept the largest possible event, alone in its request", async () => {
    const { billing, mock } = service();
    const usage = buffer(billing);
    const event = { ...eventsOf(1)[0]!, metadata: { text: "" } };
    event.metadata.text = "x".repeat(10 * 1024 * 1024 - 13 - JSON.stringify(event).length);
    await Promise.all([usage.add(event), ...eventsOf(2, 2).map((each) => usage.add(each))]);
    await usage.flush();
    expect(mock.events.size).toBe(3);
    // The mock keeps only the beginning of a body as long as that of the largest event.
    const bodies = mock.requests.to("events:ingest").map(({ body }) => body);
    expect(bodies.filter((body) => typeof body === "string")).toHaveLength(1);
    expect(bodies).toContainEqual({ events: [expect.anything(), expect.anything()] });
    expect(bodies).toHaveLength(2);
  });

  it("are sent by at most `concurrency` requests at a time", async () => {
    const { mock, token } = service();
    let [running, most] = [0, 0];
    const fetch = async (request: Request): Promise<Response> => {
      running += 1;
      most = Math.max(most, running);
      await sleep(5);
      running -= 1;
      return mock.fetch(request);
    };
    const usage = buffer(createClient({ accessToken: token, fetch }), { maxBatchEvents: 5, concurrency: 3 });
    await Promise.all(eventsOf(100).map((event) => usage.add(event)));
    await usage.flush();
    expect(mock.events.size).toBe(100);
    expect(most).toBe(3);
  });
});
