import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";

const FOLDER = new URL("../../examples/recorded-service/", import.meta.url);
const { default: middleware } = await import(new URL("middleware.mjs", FOLDER).href);
const assumptions = JSON.parse(readFileSync(new URL("assumptions.json", FOLDER), "utf8"));

const ORGANIZATION = "a752bf67-11b8-4468-bb80-a9aa57f42c9e";
const CUSTOMER = "e3e5df0a-a0c9-4336-887a-103e0c88a6a3";
const EVENT = { name: "a", customer_id: CUSTOMER };
const ENDPOINT = { url: "https://a.example/", format: "raw", events: ["order.paid"] };

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** Starts a mock with the settings of the recorded service and a few records. */
function start() {
  const mock = createMock({ assumptions, middleware, warn: false });
  const organization = mock.organizations.create({ id: ORGANIZATION });
  mock.customers.create({ id: CUSTOMER, organization_id: ORGANIZATION });
  const { id } = mock.webhookEndpoints.create({ organization_id: ORGANIZATION, name: "n" });
  const user = mock.users.create({ organization_ids: [ORGANIZATION] });
  const tokens = { oat: mock.issueToken({ organization }), oidc: mock.issueToken({ type: "oidc", user }) };
  const send = async (
    method: string,
    path: string,
    { headers = {}, body }: Sent = {},
    kind: "oat" | "oidc" = "oat",
  ) => {
    const usual = { authorization: `Bearer ${tokens[kind]}`, "content-type": "application/json" };
    const init = {
      method,
      headers: { ...usual, ...headers },
      redirect: "manual" as const,
      ...(body !== undefined && { body }),
    };
    const response = await mock.fetch(mock.baseUrls[0] + path, init);
    return { status: response.status, body: await response.json().catch(() => undefined) };
  };
  return { send, id };
}

const SCHEMA = "RequestValidationError";
const SEMANTIC = "ServiceRequestValidationError";

it.each([
  ["a UUID without dashes", { customer_id: CUSTOMER.replaceAll("-", "") }],
  ["a UUID as a URN", { customer_id: `urn:uuid:${CUSTOMER}` }],
  ["both customer ids, one of which is invalid", { customer_id: "x", external_customer_id: "b" }],
  ["null", { organization_id: null, external_id: null, parent_id: null, member_id: null }],
  ["a time in lower case", { timestamp: "2024-10-01t00:00:00z" }],
  ["a time with a comma", { timestamp: "2024-10-01T00:00:00,5Z" }],
  ["a time in seconds", { timestamp: 1_727_740_800 }],
  ["an amount as text", { metadata: { _cost: { amount: "1.5", currency: "usd" } } }],
  ["a long key", { metadata: { ["k".repeat(41)]: 1 } }],
])("accepts %s", async (_, fields) => {
  const { send } = start();
  const body = JSON.stringify({ events: [{ ...EVENT, ...fields }] });
  expect(await send("POST", "/v1/events/ingest", { body })).toMatchObject({ status: 200, body: { inserted: 1 } });
});

it.each([
  [{ name: 1 }, SCHEMA, "name"],
  [{ name: "x".repeat(129) }, SCHEMA, "name"],
  [{ name: "a\0b" }, SCHEMA, "name"],
  [{ customer_id: "6f1c0a52-3b0d-1c55-9d0e-0a4d1e6f7b21" }, SCHEMA, "customer_id"],
  [{ customer_id: "046c443e-29eb-420c-865f-01af9dcabcef" }, SEMANTIC, "customer_id"],
  [{ organization_id: ORGANIZATION }, SEMANTIC, "organization_id"],
  [{ organization_id: ORGANIZATION, name: 1 }, SCHEMA, "name"],
  [{ member_id: "1050a520-e0b5-4bf3-8690-75a5b8a3c9a6" }, SEMANTIC, "member_id"],
  [{ timestamp: "2024-10-01T00:00:00" }, SCHEMA, "timestamp"],
  [{ timestamp: "2999-01-01T00:00:00Z" }, SCHEMA, "timestamp"],
  [{ metadata: { k: "" } }, SCHEMA, "metadata.k"],
  [{ metadata: { k: "\0" } }, SCHEMA, "metadata"],
  [{ metadata: { _cost: { amount: 1, currency: "eur" } } }, SCHEMA, "metadata._cost.currency"],
  [{ metadata: { _llm: {} } }, SCHEMA, "metadata._llm.vendor"],
])("rejects %j", async (fields, error, place) => {
  const { send } = start();
  const answer = await send("POST", "/v1/events/ingest", {
    body: JSON.stringify({ events: [{ ...EVENT, ...fields }] }),
  });
  expect([answer.status, answer.body.error]).toEqual([422, error]);
  expect(answer.body.detail.map(({ loc }: { loc: unknown[] }) => loc.join("."))).toEqual([`body.events.0.${place}`]);
});

it.each<[string, Sent, number, unknown]>([
  ["cut JSON", { body: '{"events":[' }, 422, { error: SCHEMA, detail: [{ loc: ["body", 11] }] }],
  ["a comma at the end", { body: '{"events":[],}' }, 422, { error: SCHEMA, detail: [{ loc: ["body", 12] }] }],
  ["text", { body: "{}", headers: { "content-type": "text/json" } }, 422, { detail: [{ loc: ["body"] }] }],
  ["bytes", { body: new Uint8Array([0x7b, 0xff]) }, 400, { detail: "There was an error parsing the body" }],
  ["two tokens", { body: "{}", headers: { authorization: "Bearer a, Bearer b" } }, 401, { error: "invalid_token" }],
])("answers %s", async (_, sent, status, body) => {
  const { send } = start();
  expect(await send("POST", "/v1/events/ingest", sent)).toMatchObject({ status, body });
});

it("reads paths, headers and credentials as the service does", async () => {
  const { send, id } = start();
  const path = `/v1/webhooks/endpoints/${id}`;
  const statuses = async (...paths: string[]) =>
    Promise.all(paths.map(async (each) => (await send("GET", each)).status));
  expect(await statuses(`/v1/webhooks/endpoints/${id.replaceAll("-", "")}`, `${path}/`, "/v1/products")).toEqual([
    200, 307, 307,
  ]);
  expect((await send("GET", path, { headers: { "service-version": "" } })).status).toBe(200);
  const body = JSON.stringify({ events: [{ ...EVENT, organization_id: ORGANIZATION }] });
  expect((await send("POST", "/v1/events/ingest", { body }, "oidc")).status).toBe(200);
});

it("creates and updates endpoints as the service does", async () => {
  const { send, id } = start();
  const create = (fields: object) =>
    send("POST", "/v1/webhooks/endpoints", { body: JSON.stringify({ ...ENDPOINT, ...fields }) });
  expect(await create({ url: " https://A.example/a b " })).toMatchObject({ body: { url: "https://a.example/a%20b" } });
  const rejected = [{ url: "https://localhost/" }, { url: "https://0x7f.1/" }, { secret: "short" }, { name: 1 }];
  for (const fields of rejected) expect(await create(fields)).toMatchObject({ status: 422, body: { error: SCHEMA } });
  const nulls = { name: null, url: null, format: null, events: null, enabled: "yes" };
  const updated = await send("PATCH", `/v1/webhooks/endpoints/${id}`, { body: JSON.stringify(nulls) });
  expect(updated).toMatchObject({ status: 200, body: { name: "n", enabled: true } });
});
