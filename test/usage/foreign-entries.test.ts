import { describe, expect, it, vi } from "vitest";
import { memoryOutbox } from "../../src/usage/index.ts";
import { hasRedis } from "../support/redis-server.ts";
import { KEY, opened } from "./redis-clients.ts";
import { buffer, eventsOf, service } from "./service.ts";

const message = "the outbox returned an entry that is not a JSON object; another program may have written it";
const problems = [{ path: "", message, type: "invalid" }];

describe("an entry that another program wrote to the outbox", () => {
  it.each([
    ["not json", "not json"],
    ["7", 7],
    ["[]", []],
    ['"text"', "text"],
    ["null", "null"],
  ])("is rejected and removed if it is %j, and the others are sent", async (json, event) => {
    const { billing, mock } = service();
    const outbox = memoryOutbox();
    const onRejected = vi.fn();
    const usage = buffer(billing, { outbox, onRejected, concurrency: 1, maxDelay: 60_000 });
    await usage.add(eventsOf(1)[0]!);
    await outbox.append([{ json, bytes: json.length }]);
    await usage.add(eventsOf(1, 2)[0]!);
    await usage.flush();
    expect(onRejected.mock.calls).toEqual([[[{ event, problems }]]]);
    expect(mock.events.size).toBe(2);
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 2, rejected: 1 });
  });

  it("is rejected and removed if it has a number that cannot be sent", async () => {
    const { billing, mock } = service();
    const outbox = memoryOutbox();
    const onRejected = vi.fn();
    const usage = buffer(billing, { outbox, onRejected, concurrency: 1, maxDelay: 60_000 });
    await Promise.all(eventsOf(3).map((event) => usage.add(event)));
    await outbox.append([{ json: '{"name":"call","metadata":{"size":1e999}}', bytes: 41 }]);
    await usage.flush();
    expect(onRejected.mock.calls[0]?.[0][0].problems[0].message).toContain("metadata.size");
    expect(mock.events.size).toBe(3);
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 3, rejected: 1 });
  });

  it("is named in a warning if there is no onRejected", async () => {
    const { billing } = service();
    const outbox = memoryOutbox();
    const warn = vi.fn();
    await outbox.append([{ json: "not json", bytes: 8 }]);
    const usage = buffer(billing, { outbox, logger: { debug: () => {}, warn }, logLevel: "warn" });
    await usage.flush();
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      `1 usage event was rejected: unknown (${message}). To handle rejected events, set onRejected.`,
    ]);
  });

  it.runIf(hasRedis)("is removed from Redis", async () => {
    const { client, outbox } = await opened({ pollInterval: 20 });
    const { billing, mock } = service();
    const onRejected = vi.fn();
    const usage = buffer(billing, { outbox, onRejected, maxDelay: 60_000 });
    await client.xAdd(KEY, "*", { json: "not json" });
    await usage.add(eventsOf(1)[0]!);
    await usage.flush();
    expect(mock.events.size).toBe(1);
    expect(onRejected.mock.calls).toEqual([[[{ event: "not json", problems }]]]);
    expect(await client.xLen(KEY)).toBe(0);
  });
});
