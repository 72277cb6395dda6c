import { expect, it, vi } from "vitest";
import { createEngine } from "../../mock/api/engine.ts";
import { Control } from "../../mock/control/control.ts";
import { control, started } from "../support/started-server.ts";

it("the revision changes with every part of the mock, also when a change is undone", async () => {
  const server = await started({ seed: 1 });
  const { mock } = server;
  const revision = async (of = server) => (await control(of, "GET /changes")).body.revision as string;
  mock.webhookEndpoints.create({ url: "https://shop.example/", events: ["order.paid"] });
  mock.webhooks.receive("https://shop.example/", () => new Response());
  const request = () => mock.fetch(`${mock.baseUrls[0]}/v1/products/`);
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
    "a reset": () => mock.reset(),
  };
  const seen = new Set([await revision(), await revision(await started({ seed: 1 }))]);
  expect(seen.size).toBe(2);
  for (const [name, change] of Object.entries(changes)) {
    await change();
    await mock.webhooks.idle();
    const next = await revision();
    expect(seen, name).not.toContain(next);
    seen.add(next);
    expect(await revision(), name).toBe(next);
  }
});

it("a request for changes waits at most 30 seconds, and only until the caller leaves", async () => {
  vi.useFakeTimers();
  const api = new Control(createEngine({}));
  const caller = new AbortController();
  const read = async (query: Record<string, string>) => {
    const url = `http://127.0.0.1/__mock/changes?${new URLSearchParams(query)}`;
    const request = new Request(url, { signal: caller.signal });
    return JSON.parse((await api.respond(request)).body ?? "") as { readonly revision: string };
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
