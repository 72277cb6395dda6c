// A test of code that creates its own client: `mock.listen()` intercepts its requests with MSW.
import { createClient } from "@billing-service/sdk/2025-01";
import { createMock } from "@billing-service/sdk/mock/node";
import { afterAll, beforeAll, expect, test } from "vitest";

const mock = createMock();
beforeAll(() => mock.listen());
afterAll(() => mock.close());

test("the service stores each event once", async () => {
  const billing = createClient({ accessToken: mock.issueToken() }); // your app creates its own; listen() intercepts it
  const event = { name: "api.call", external_customer_id: "acme", external_id: "call-1" };
  expect(await billing.events.ingest([event, event])).toEqual({ inserted: 1, duplicates: 1 });
});
