import { test } from "vitest";
import { createMock, strict } from "../../mock/index.ts";
import { startServer } from "../../mock/server.ts";

test("what may be left out may be undefined, but for a password", () => {
  const mock = createMock({ seed: undefined, now: undefined, baseUrl: undefined, assumptions: undefined });
  mock.issueToken({ type: undefined, scopes: undefined, organization: undefined, expiresIn: undefined });
  mock.fault({ status: 503, times: undefined, operation: undefined });
  mock.requests.list({ status: undefined });
  mock.webhooks.emit("order.paid", {}, { organization: undefined });
  void startServer({ port: undefined, host: undefined, latency: undefined });
  // @ts-expect-error A password that is undefined would leave the control interface open.
  void startServer({ control: { password: undefined } });
});

test("an assumption with several fields can be changed in one of them", () => {
  createMock({ assumptions: { retry: { attempts: 3 }, metadata: { maxPairs: 5 } } });
  // @ts-expect-error A limit has no default to complete it.
  createMock({ assumptions: { rateLimit: { requests: 5 } } });
});

test("the choices of a strict mock can be overridden", () => {
  createMock({ assumptions: { ...strict, maxBatchSize: 500, endpointUrl: { ...strict.endpointUrl, hosts: "any" } } });
  // @ts-expect-error There is no such rule.
  createMock({ assumptions: { ...strict, organizationField: { oat: "ignored" } } });
});

test("names of a contract that a mock is given are taken beside those that are completed", () => {
  const mock = createMock();
  const name: string = "things:read";
  mock.fault({ operation: name, status: 500 });
  mock.webhooks.emit("thing.made", {});
  mock.issueToken({ scopes: ["things:write", "events:read"] });
});
