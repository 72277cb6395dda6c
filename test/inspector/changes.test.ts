import { expect, it, onTestFinished, vi } from "vitest";
import { createEngine } from "../../mock/api/create-engine.ts";
import { Control } from "../../mock/control/control.ts";
import { started } from "../support/started-server.ts";

async function watched() {
  const { mock, url } = await started({ seed: 1 });
  const revision = async (since = "", wait = 0) => {
    const response = await fetch(`${url}/__mock/changes?since=${since}&wait=${wait}`);
    return ((await response.json()) as { readonly revision: string }).revision;
  };
  return { mock, revision };
}

it("the revision changes with every part of the mock, also when a change is undone", async () => {
  const { mock, revision } = await watched();
  mock.webhookEndpoints.create({ url: "https://shop.example/", events: ["order.paid"] });
  mock.webhooks.receive("https://shop.example/", () => new Response());
  const request = () => mock.fetch(`${mock.baseUrls[0]}/v1/products/`);
  const start = mock.snapshot();
  const fault = mock.fault({ status: 503, skip: 1, times: 2 });
  const changes: Readonly<Record<string, () => unknown>> = {
    "a request that a fault skips": request,
    "a request that a fault fails": request,
    "a fault removed": () => mock.faults.remove(fault.id),
    "a cleared journal": () => mock.requests.clear(),
    "a record": () => mock.customers.create(),
    "a release": () => mock.release(),
    "an advanced clock": () => mock.clock.advance({ minutes: 1 }),
    "an event": () => mock.webhooks.emit("order.paid", {}),
    "a restored state": () => mock.restore(start),
    "a reset": () => mock.reset(),
  };
  const seen = new Set([await revision()]);
  for (const [name, change] of Object.entries(changes)) {
    await change();
    await mock.webhooks.idle();
    const next = await revision();
    expect(seen, name).not.toContain(next);
    seen.add(next);
    expect(await revision(), name).toBe(next);
  }
});

it("two mocks have different revisions", async () => {
  const [one, other] = [await watched(), await watched()];
  expect(await one.revision()).not.toBe(await other.revision());
});

it("waits for a change, at most 30 seconds, and only until the caller leaves", async () => {
  const { mock, revision } = await watched();
  const waiting = revision(await revision(), 20_000);
  mock.customers.create();
  expect(await waiting).toBe(await revision());

  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const control = new Control(createEngine({}));
  const caller = new AbortController();
  const read = async (query: Record<string, string>) => {
    const url = `http://127.0.0.1/__mock/changes?${new URLSearchParams(query)}`;
    const request = new Request(url, { signal: caller.signal });
    return JSON.parse((await control.respond(request)).body ?? "") as { readonly revision: string };
  };
  const { revision: since } = await read({});
  const started = performance.now();
  const waits = () => read({ since, wait: "3600000" }).then(() => performance.now() - started);
  const whole = waits();
  await vi.advanceTimersByTimeAsync(40_000);
  expect(await whole).toBe(30_000);
  const leaving = waits();
  caller.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await leaving).toBe(40_000);
});
