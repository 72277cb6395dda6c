import { expect, it } from "vitest";
import { control, started } from "../support/started-server.ts";

it("the revision changes with every part of the mock, also when a change is undone", async () => {
  const server = await started({ seed: 1 });
  const { mock } = server;
  const revision = async (of = server) => (await control(of, "GET /revision")).body.revision as string;
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
