import { test } from "vitest";
import { createMock, strict } from "../../mock/index.ts";
import { startServer } from "../../mock/server.ts";

test("optional fields accept undefined, except a password", () => {
  const mock = createMock({ seed: undefined, now: undefined, baseUrl: undefined, assumptions: undefined });
  mock.issueToken({ type: undefined, scopes: undefined, organization: undefined, expiresIn: undefined });
  mock.fault({ status: 503, times: undefined, operation: undefined });
  mock.requests.list({ status: undefined });
  mock.webhooks.emit("order.paid", {}, { organization: undefined });
  void startServer({ port: undefined, host: undefined, latency: undefined });
  // @ts-expect-error An undefined password would leave the control API open.
  void startServer({ control: { password: undefined } });
});

test("the assumptions of strict can be overridden", () => {
  createMock({ assumptions: { ...strict, maxBatchSize: 500, endpointUrl: { ...strict.endpointUrl, hosts: "any" } } });
  // @ts-expect-error The assumption does not exist.
  createMock({ assumptions: { ...strict, organizationField: { oat: "ignored" } } });
});

test("names of a contract of your own are accepted beside the suggested ones", () => {
  const mock = createMock();
  const name: string = "things:read";
  mock.fault({ operation: name, status: 500 });
  mock.webhooks.emit("thing.made", {});
  mock.issueToken({ scopes: ["things:write", "events:read"] });
});
