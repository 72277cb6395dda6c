import { describe, expectTypeOf } from "vitest";
import { type BillingClient, createClient, isApiError } from "#current";
import * as v202410 from "#deprecated";
import { createMock, createTest, type Mock } from "../../mock/vitest.ts";
import { DEPRECATED } from "../support/versions.ts";

const call = { name: "api.call", external_customer_id: "acme" };

describe("the fixture", () => {
  const test = createTest({ createClient });
  const seen = new Set<Mock>();

  test("connects the client to the mock", async ({ client, mock, expect }) => {
    await client.events.ingest([call]);
    expect(mock.events.list()).toMatchObject([call]);
    expectTypeOf(client).toEqualTypeOf<BillingClient>();
    seen.add(mock);
  });

  test("creates a new mock for each test, and resets it afterwards", ({ mock, expect }) => {
    expect([mock, ...seen].map(({ events }) => events.size)).toEqual([0, 0]);
    expect(seen).not.toContain(mock);
    seen.add(mock);
  });

  test("creates a new mock for each attempt of a test", { retry: 2 }, ({ mock, expect }) => {
    expect(mock.customers.size).toBe(0);
    mock.customers.create();
    seen.add(mock);
    expect(seen.size).toBe(4);
  });
});

describe("the client", () => {
  const old = createTest({ createClient: v202410.createClient });
  old("is of the version whose createClient was given", async ({ client, mock, expect }) => {
    expectTypeOf(client).toEqualTypeOf<v202410.BillingClient>();
    await client.events.ingest([call]);
    expect(mock.requests.last()).toMatchObject({ versionAsked: DEPRECATED, versionUsed: DEPRECATED });
  });

  const reader = createTest({ createClient, token: { type: "pat", scopes: ["webhooks:read"] }, seed: 7 });
  reader("gets the token, and the mock the options, that were asked for", async ({ client, mock, expect }) => {
    expect(mock.users.list()).toEqual(createMock({ seed: 7 }).users.list());
    const rejected = await client.events.ingest([call]).safe();
    expect(!rejected.ok && isApiError(rejected.error) && rejected.error.status).toBe(403);
    expect(mock.requests.last()?.credential).toBe("pat");
  });
});
