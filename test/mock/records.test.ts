import { describe, expect, it, test } from "vitest";
import { createMock, type Mock, strict } from "../../mock/index.ts";
import { openAdapter } from "../support/adapter.ts";

const ID = "4a7e3c52-8f1d-4b6a-9c0e-2d5b7f8a1e34";
const OTHER = "9d2b6f10-3c4e-4a5b-8d7c-6e5f4a3b2c1d";
const NOT_VERSION_4 = "4a7e3c52-8f1d-1b6a-9c0e-2d5b7f8a1e34";
const OTHER_VARIANT = "4a7e3c52-8f1d-4b6a-1c0e-2d5b7f8a1e34";

const COLLECTIONS = ["organizations", "users", "customers", "products", "webhookEndpoints"] as const;

/** Creates a record in a collection, with any fields. */
function create(mock: Mock, name: (typeof COLLECTIONS)[number] | "oauthClients", fields: object): unknown {
  return mock[name].create(fields as never);
}

describe.each(COLLECTIONS)("the ids of %s", (name) => {
  it("WHE-7, G-EVT-REQ, G-UUID-FORM: are UUIDs in lower case, of version 4 unless they are those of customers", () => {
    const mock = createMock();
    const { size } = mock[name];
    const wrong = ["acme", "", ID.toUpperCase(), OTHER_VARIANT, ID.replaceAll("-", ""), `{${ID}}`];
    for (const id of name === "customers" ? wrong : [...wrong, NOT_VERSION_4]) {
      expect(() => create(mock, name, { id })).toThrow(/: `id` must be a (version 4 )?UUID in lower case; received /);
    }
    expect(mock[name].size).toBe(size);
    if (name === "customers") expect(create(mock, name, { id: NOT_VERSION_4 })).toMatchObject({ id: NOT_VERSION_4 });
  });

  it("identify one record", () => {
    const mock = createMock();
    const record = create(mock, name, { id: ID });
    expect(() => create(mock, name, { id: ID })).toThrow("already exists");
    expect(mock[name].get(ID)).toBe(record);
    expect(mock[name].update(ID, {})).toMatchObject({ id: ID });
    expect(mock[name].delete(ID)).toBe(true);
    expect(mock[name].get(ID)).toBeUndefined();
  });
});

it("G-UUID-FORM: a request may name a record in upper case", async () => {
  const { mock, client } = await openAdapter();
  const { id } = mock.webhookEndpoints.create();
  expect((await client().webhooks.getEndpoint(id.toUpperCase())).id).toBe(id);
});

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;

test.each([
  ["customers", { externalId: "acme" }, 'customer: unknown field "externalId". Did you mean "external_id"?'],
  ["users", { email: "ann" }, "user: `email` must be a valid email"],
  ["products", { price: JSON.parse("[".repeat(201) + "]".repeat(201)) }, "is nested too deeply"],
  ["products", cyclic, "product cannot be serialized as JSON: "],
  ["products", { organization_id: 5 }, "product: `organization_id` must be a string; received 5."],
  [
    "oauthClients",
    { created_at: "yesterday" },
    "OAuth client: `created_at` must be a timestamp of the form YYYY-MM-DD",
  ],
  ["oauthClients", { scopes: ["nothing:read"] }, 'OAuth client: unknown scope "nothing:read".'],
  ["webhookEndpoints", { url: "shop" }, "webhook endpoint: `url` must be absolute."],
  ["webhookEndpoints", { secret: "whsec_%" }, "webhook endpoint: `secret` cannot sign deliveries. A secret of"],
  ["webhookEndpoints", { api_version: "1999-01" }, 'webhook endpoint: unknown API version "1999-01"'],
  ["webhookEndpoints", { events: ["order.eaten"] }, 'webhook endpoint: unknown event type "order.eaten".'],
  ["webhookEndpoints", { organization_id: OTHER }, `unknown organization "${OTHER}"`],
] as const)("%s with %o do not fit the contract and are rejected", (name, fields, message) => {
  const mock = createMock();
  const before = mock[name].list();
  expect(() => create(mock, name, fields)).toThrow(message);
  expect(mock[name].list()).toEqual(before);
});

test("G-WHE-URL: an endpoint created without a URL gets one that fits the assumptions", () => {
  const urlWith = (endpointUrl: object) => createMock({ assumptions: { endpointUrl } }).webhookEndpoints.create().url;
  expect(urlWith({ protocols: ["http:"] })).toBe("http://localhost:3000/webhooks");
  expect(urlWith({ protocols: ["https:"] })).toBe("https://localhost:3000/webhooks");
  expect(urlWith({ ...strict.endpointUrl })).toBe("https://receiver.example/webhooks");
});

const OTHER_FORMS = ["2025-01-02T03:04:05Z", "2025-01-02T03:04:05.678Z", "2025-01-02T03:04:05.678000+00:00", "now"];

test.each(OTHER_FORMS)("WHE-8: the times of a record have six digits and Z, not the form of %s", (time) => {
  const mock = createMock();
  const created_at = "2024-02-29T23:59:59.000001Z";
  expect(mock.webhookEndpoints.create({ created_at })).toMatchObject({ created_at });
  for (const collection of [mock.webhookEndpoints, mock.oauthClients]) {
    expect(() => collection.create({ created_at: time })).toThrow("`created_at` must be a timestamp of the form ");
    expect(() => collection.create({ modified_at: time })).toThrow("`modified_at` must be a timestamp of the form ");
  }
});
