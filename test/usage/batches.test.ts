import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createClient, type Event } from "#current";
import { startServer } from "../../mock/server.ts";
import { createEventBuffer, ingestAll, memoryOutbox, type Outbox } from "../../src/usage/index.ts";
import { CURRENT } from "../support/versions.ts";
import { addAll, buffer, buffered, eventsOf, service, through } from "./service.ts";

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

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

  it("have bodies of at most maxBatchBytes in UTF-8", async () => {
    const sizes: number[] = [];
    const { mock, usage } = buffered(
      { maxBatchBytes: 20_000, maxBatchEvents: 10_000, maxDelay: 60_000 },
      through(async (request) => {
        sizes.push((await request.clone().arrayBuffer()).byteLength);
      }),
    );
    const large = eventsOf(100).map((event) => ({ ...event, metadata: { note: "é😀".repeat(150) } }));
    await addAll(usage, large);
    await usage.flush();
    expect(mock.events.size).toBe(100);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20_000);
    expect(sizes.length).toBeLessThanOrEqual(7);
  });

  it("have the text of the outbox, which is not parsed and written again", async () => {
    const [outbox, bodies]: [Outbox, string[]] = [memoryOutbox(), []];
    const given = through(async (request) => void bodies.push(await request.clone().text()));
    const { add, usage } = buffered({ outbox, maxDelay: 60_000 }, given);
    const json = '{ "name":"a", "external_customer_id":"b", "metadata":{"n":12345678901234567890.0} }';
    await outbox.append([{ json, bytes: json.length }]);
    await add(1);
    await usage.flush();
    expect(bodies).toEqual([`{"events":[${json},${JSON.stringify(eventsOf(1)[0])}]}`]);
  });

  it("are arrays for a client of your own, which may change and clone them", async () => {
    const { billing, mock } = service();
    const ingest = async (events: readonly Event[]) => {
      for (const event of events as Mutable<Event>[]) event.name = "api.changed";
      return billing.events.ingest(Object.freeze(structuredClone(events)));
    };
    const usage = createEventBuffer({ events: { ingest } });
    await addAll(usage, eventsOf(2));
    await usage.close();
    expect(mock.events.list().map(({ name }) => name)).toEqual(["api.changed", "api.changed"]);
  });

  it("are arrays for a spy", async () => {
    const { billing } = service();
    const spy = vi.spyOn(billing.events, "ingest");
    const usage = createEventBuffer(billing);
    await addAll(usage, eventsOf(2));
    await usage.close();
    expect(spy.mock.calls[0]?.[0]).toEqual(eventsOf(2));
  });

  it("of ingestAll accept the largest possible event, alone in its request", async () => {
    const { batches, billing } = service();
    const event = { ...eventsOf(1)[0]!, metadata: { text: "" } };
    event.metadata.text = "x".repeat(10 * 1024 * 1024 - 13 - JSON.stringify(event).length);
    await ingestAll(billing, [event, ...eventsOf(2, 2)]);
    expect(batches().sort()).toEqual([1, 2]);
  });

  it("are compressed with `compress`, except for single events, over a socket", async () => {
    const { billing, requests, stored } = await serviceOverSocket();
    const usage = buffer(billing, { compress: "gzip", maxDelay: 60_000 });
    await addAll(usage, eventsOf(100));
    await usage.flush();
    await ingestAll(billing, eventsOf(51, 101), { compress: "gzip", maxBatchEvents: 50 });
    expect(stored()).toBe(151);
    expect(
      requests()
        .map(({ headers }) => headers["content-encoding"] ?? "none")
        .sort(),
    ).toEqual(["gzip", "gzip", "none"]);
    expect(Number(requests()[0]?.headers["content-length"])).toBeLessThan(1_500);
  });

  it.each([
    [415, "{}"],
    [422, '{"detail":[{"loc":["body"],"msg":"JSON decode error","type":"json_invalid"}]}'],
  ])("that a service without gzip rejects with %i lose no event", async (status, body) => {
    const headers = { "content-type": "application/json", "service-version": CURRENT };
    const given = through(async (request) =>
      request.headers.get("content-encoding") === "gzip" ? new Response(body, { status, headers }) : undefined,
    );
    const { add, mock, rejected, usage } = buffered({ compress: "gzip" }, given);
    await add(5);
    await usage.flush().catch(() => undefined);
    expect(mock.events.size + ((await usage.stats()).queued ?? 0)).toBe(5);
    expect(rejected()).toEqual([]);
  });
});

async function serviceOverSocket() {
  const server = await startServer();
  onTestFinished(() => server.close());
  const { mock, url: baseUrl } = server;
  const billing = createClient({ accessToken: mock.issueToken(), baseUrl, logLevel: "off" });
  return { billing, requests: () => mock.requests.to("events:ingest"), stored: () => mock.events.size };
}
