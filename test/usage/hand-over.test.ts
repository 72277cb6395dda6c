import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { CURRENT } from "../support/versions.ts";
import { storages } from "./outboxes.ts";
import { addAll, bad, buffer, buffered, eventsOf, idsOf, type Service, service, through } from "./service.ts";

/** A function of a user that fails at first. */
const failing = () => vi.fn().mockRejectedValueOnce(new Error("no table")).mockRejectedValueOnce(new Error("no row"));

describe.each(Object.entries(storages))("with an outbox in %s", (_, create) => {
  it("a rejected event stays in the outbox until onRejected has taken it, and the others are sent", async () => {
    const storage = await create();
    const onRejected = failing();
    const { mock, usage } = buffered({ onRejected, outbox: storage.open() });
    await addAll(usage, [bad("bad"), ...eventsOf(3)]);
    await expect(usage.flush()).rejects.toThrow("no table");
    await expect.poll(() => usage.stats()).toMatchObject({ queued: 1, sent: 3, rejected: 0 });
    const { count } = mock.requests;
    await sleep(100);
    expect(mock.requests.count).toBe(count);
    while (onRejected.mock.calls.length < 3) await usage.flush().catch(() => undefined);
    await usage.flush();
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 3, rejected: 1 });
    expect(onRejected.mock.calls.map(([events]) => events[0].event)).toEqual([bad("bad"), bad("bad"), bad("bad")]);
    expect(mock.events.size).toBe(3);
  });

  it("close gives back what onRejected has not taken, or the next buffer offers it", async () => {
    const storage = await create();
    const given = service();
    const onRejected = vi.fn().mockRejectedValue(new Error("no table"));
    const { usage } = buffered({ onRejected, outbox: storage.open() }, given);
    await addAll(usage, [bad("bad"), ...eventsOf(3)]);
    await expect(usage.flush()).rejects.toThrow("no table");
    const closed = await usage.close({ timeout: 0 }).catch((error) => error);
    expect(closed?.events).toEqual(storage.durable ? undefined : [bad("bad")]);
    if (!storage.durable) return;
    const taken = vi.fn();
    const next = buffer(given.billing, { onRejected: taken, outbox: storage.open() });
    await next.flush();
    expect(taken.mock.calls).toMatchObject([[[{ event: bad("bad") }]]]);
    expect(await next.stats()).toMatchObject({ queued: 0 });
  });

  it("counts that do not add up are asked for once more, and then given to onUnconfirmed", async () => {
    const storage = await create();
    const counts = vi.fn().mockReturnValueOnce([0, 0]).mockReturnValueOnce([0, 3]).mockReturnValue([1, 1]);
    const given = through(async () => {
      const [inserted, duplicates] = counts();
      return Response.json({ inserted, duplicates }, { headers: { "service-version": CURRENT } });
    });
    const onUnconfirmed = failing();
    const { add, usage } = buffered({ onUnconfirmed, outbox: storage.open() }, given);
    await add(3);
    await usage.flush();
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 3, duplicates: 3, unconfirmed: 0 });
    await add(3, 4);
    await expect(usage.flush()).rejects.toThrow("no table");
    while (onUnconfirmed.mock.calls.length < 2) await usage.flush().catch(() => undefined);
    expect(await usage.stats()).toMatchObject({ queued: 3, unconfirmed: 0 });
    await usage.flush();
    expect(onUnconfirmed.mock.lastCall?.[0].map(({ external_id }: never) => external_id)).toEqual(idsOf(3, 4));
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 3, unconfirmed: 3 });
    expect(counts).toHaveBeenCalledTimes(2 + 3 * 2);
  });

  /** What a gateway answers: none of it may give up an event, or say that it is stored. */
  const pages: readonly (readonly [status: number, type: string, body: string])[] = [
    [413, "text/html", "<html>too large</html>"],
    [422, "text/html", "<html>blocked</html>"],
    [422, "application/json", '{"detail":"x"}'],
    [422, "application/json", '{"detail":[{"loc":["body","events",0],"msg":"no","type":"no"}]}'],
    [413, "application/json", "{}"],
    [200, "text/html", "<html>back soon</html>"],
    [200, "application/json", '{"ok":true}'],
  ];

  const own = ({ events }: Service["billing"]) =>
    ({ events: { ingest: async (...given: Parameters<typeof events.ingest>) => events.ingest(...given) } }) as never;

  it.each([
    ["the client", {}, false],
    ["the client, which throws", { onResponseMismatch: "throw" }, false],
    ["a client of your own", {}, true],
  ] as const)("with %s, a page of a gateway keeps the events, until the service stores them", async (...row) => {
    const [, options, isOwn] = row;
    const storage = await create();
    let page: (typeof pages)[number] | undefined;
    const given = through(async () => {
      if (page === undefined) return undefined;
      const [status, type, body] = page;
      return new Response(body, { status, headers: { "content-type": type } });
    }, options);
    const client = { ...given, billing: isOwn ? own(given.billing) : given.billing };
    const { add, mock, onRetry, rejected, usage } = buffered({ outbox: storage.open() }, client);
    for (page of pages) {
      onRetry.mockClear();
      await add(1, pages.indexOf(page) + 1);
      await expect.poll(() => onRetry.mock.calls.length, { interval: 5 }).toBeGreaterThan(2);
    }
    expect({ stored: mock.events.size, rejected: rejected() }).toEqual({ stored: 0, rejected: [] });
    page = undefined;
    await usage.flush();
    expect(mock.events.size).toBe(pages.length);
  });

  it.each([
    ["without counts", '{"inserted":1}', {}, "warn"],
    ["without counts", '{"inserted":1}', {}, "throw"],
    ["without a body", "", {}, "warn"],
    ["that is a list", "[]", {}, "throw"],
    ["of another version", '{"inserted":3,"duplicates":0}', { "service-version": "1999-01" }, "warn"],
  ] as const)(
    "a success of the service %s is stored, with one warning (%#)",
    async (_what, body, headers, onResponseMismatch) => {
      const storage = await create();
      const all = { "content-type": "application/json", "service-version": CURRENT, ...headers };
      const requests = vi.fn(async () => new Response(body, { headers: all }));
      const warn = vi.fn();
      // The client and the buffer log to the same place, as with the console.
      const logging = { logger: { debug: () => {}, warn }, logLevel: "warn" } as const;
      const given = service({ fetch: requests, onResponseMismatch, ...logging });
      const { add, onError, usage } = buffered({ outbox: storage.open(), ...logging }, given);
      await add(3);
      await usage.flush();
      await add(3, 4);
      await usage.flush();
      expect(await usage.stats()).toMatchObject({ queued: 0, sent: 6, unconfirmed: 0 });
      expect(requests).toHaveBeenCalledTimes(2);
      expect(warn).toHaveBeenCalledTimes(1);
      expect(onError).not.toHaveBeenCalled();
    },
  );
});

it("without functions of the user, a warning names the events and their problems", async () => {
  const warn = vi.fn();
  const none = { onRejected: undefined } as object;
  const { usage } = buffered({ ...none, logger: { debug: () => {}, warn }, logLevel: "warn" });
  await usage.add(bad("bad"));
  await usage.flush();
  const message =
    "1 usage event was rejected: bad (customer_id: Input should be a valid UUID). To handle them, set onRejected.";
  expect(warn.mock.calls).toEqual([
    [message, { events: 1, list: ["bad (customer_id: Input should be a valid UUID)"] }],
  ]);
});
