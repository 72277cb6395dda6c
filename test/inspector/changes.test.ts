import { expect, it, onTestFinished, vi } from "vitest";
import { createEngine } from "../../mock/api/create-engine.ts";
import { ChangeWatch } from "../../mock/control/change-watch.ts";
import { startServer } from "../../mock/server.ts";
import { Table } from "../../mock/state/table.ts";

interface Changes {
  readonly revision: string;
  readonly changed: readonly string[];
}

async function watched() {
  const { mock, url, close } = await startServer({ seed: 1 });
  onTestFinished(() => close());
  const changes = async (since?: string) => {
    const response = await fetch(`${url}/__mock/changes${since === undefined ? "" : `?since=${since}`}`);
    return (await response.json()) as Changes;
  };
  return { mock, changes };
}

it("names a part that changed and changed back", async () => {
  const { mock, changes } = await watched();
  const { revision } = await changes();
  await mock.fetch(`${mock.baseUrls[0]}/v1/products/`);
  mock.requests.clear();
  mock.faults.remove(mock.fault({ status: 500 }).id);
  mock.release();
  mock.reset();
  const { changed } = await changes(revision);
  expect(changed).toEqual(expect.arrayContaining(["requests", "faults", "versions", "events"]));
});

it("names the faults after each request that one skips or fails, and after a removal", async () => {
  const { mock, changes } = await watched();
  const fault = mock.fault({ status: 503, skip: 1 });
  const request = () => mock.fetch(`${mock.baseUrls[0]}/v1/products/`);
  let { revision } = await changes();
  for (const change of [request, request, () => mock.faults.remove(fault.id)]) {
    await change();
    const next = await changes(revision);
    expect(next.changed).toContain("faults");
    revision = next.revision;
  }
});

it("reads no rows to find out what changed", async () => {
  const { mock, changes } = await watched();
  const { revision } = await changes();
  mock.customers.create();
  const reads = (["list", "entries"] as const).map((name) => vi.spyOn(Table.prototype, name));
  onTestFinished(() => reads.forEach((read) => void read.mockRestore()));
  expect((await changes(revision)).changed).toEqual(["customers"]);
  for (const read of reads) expect(read).not.toHaveBeenCalled();
});

it("names no part without changes, and every part for the revision of another server", async () => {
  const { changes } = await watched();
  const { revision } = await changes();
  expect((await changes(revision)).changed).toEqual([]);
  const other = await watched();
  expect((await other.changes(revision)).changed.length).toBeGreaterThan(8);
});

it.each(["", "0", "999999999999999", "no-revision.3"])(
  "names every part for the unknown revision %j",
  async (since) => {
    const { changes } = await watched();
    await changes();
    expect((await changes(since)).changed.length).toBeGreaterThan(8);
  },
);

it("names the clock when it is advanced or set back", async () => {
  const { mock, changes } = await watched();
  const { revision } = await changes();
  await mock.clock.advance({ minutes: 1 });
  const advanced = await changes(revision);
  expect(advanced.changed).toEqual(["clock"]);
  mock.reset();
  expect((await changes(advanced.revision)).changed).toContain("clock");
});

it("names a delivery and its event", async () => {
  const { mock, changes } = await watched();
  mock.webhookEndpoints.create({ url: "https://shop.example/", events: ["order.paid"] });
  const { promise: answer, resolve } = Promise.withResolvers<Response>();
  mock.webhooks.receive("https://shop.example/", () => answer);
  mock.webhooks.emit("order.paid", {});
  const { revision } = await changes();
  resolve(new Response());
  await mock.webhooks.idle();
  expect((await changes(revision)).changed).toEqual(["webhookEvents", "deliveries"]);
});

it("waits for a change at most 30 seconds, and only until the caller leaves", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const watch = new ChangeWatch(createEngine({}));
  const caller = new AbortController();
  const { revision } = await watch.since(undefined, undefined, caller.signal);
  const started = performance.now();
  const waits = () => watch.since(revision, "3600000", caller.signal).then(() => performance.now() - started);
  const waiting = waits();
  await vi.advanceTimersByTimeAsync(40_000);
  expect(await waiting).toBe(30_000);
  const leaving = waits();
  caller.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await leaving).toBe(40_000);
});
