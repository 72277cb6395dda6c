import { describe, expect, it } from "vitest";
import { type AssumptionChoices, strict } from "../../mock/index.ts";
import { openAdapter, problems } from "../support/adapter.ts";
import { endpointInput, usage } from "../support/samples.ts";

const INGEST = "POST /v1/events/ingest";
const CREATE = "POST /v1/webhooks/endpoints";

/** Returns the assumptions of `strict` with these names. */
function only<Name extends keyof AssumptionChoices>(...names: Name[]): { assumptions: AssumptionChoices } {
  return { assumptions: Object.fromEntries(names.map((name) => [name, strict[name]])) };
}

describe("the customer of an event", () => {
  it("G-EVT-CUST: must belong to the organization of the event in a strict mock", async () => {
    const { mock, send } = await openAdapter(only("unknownCustomers"));
    const other = mock.organizations.create();
    const [own, foreign] = [mock.customers.create(), mock.customers.create({ organization_id: other.id })];
    const json = { events: [usage({ customer_id: own.id }), usage({ customer_id: foreign.id }), usage()] };
    expect(problems(await send(INGEST, { json }))).toEqual([
      "body.events.1.customer_id value_error",
      "body.events.2.customer_id value_error",
    ]);
  });

  it("G-EVT-CUST: is looked up in the organization that the event names", async () => {
    const { mock, send } = await openAdapter(only("unknownCustomers"));
    const [one, two] = [mock.organizations.create(), mock.organizations.create()];
    const token = mock.issueToken({ type: "pat", user: mock.users.create({ organization_ids: [one.id, two.id] }) });
    const { id: customer_id } = mock.customers.create({ organization_id: two.id });
    const ingest = (organization_id: string) =>
      send(INGEST, { token, json: { events: [usage({ customer_id, organization_id })] } });
    expect((await ingest(two.id)).status).toBe(200);
    expect(problems(await ingest(one.id))).toEqual(["body.events.0.customer_id value_error"]);
  });
});

describe("null in an optional field", () => {
  it("G-NULL: counts as omitted if the assumption accepts it", async () => {
    const { mock, send } = await openAdapter({ assumptions: { nullFields: "accept" } });
    const nulls = { external_id: null, timestamp: null, metadata: null, organization_id: null, parent_id: null };
    const events = [
      usage({ ...nulls, external_customer_id: null }),
      { name: "a", external_customer_id: "b", ...nulls },
    ];
    expect((await send(INGEST, { json: { events } })).body).toEqual({ inserted: 2, duplicates: 0 });
    expect(mock.events.list()).toMatchObject([usage({ metadata: {} }), { external_customer_id: "b", metadata: {} }]);
    for (const event of mock.events.list()) expect(event).not.toHaveProperty("external_id");
    expect((await send(CREATE, { json: endpointInput({ api_version: null, name: null }) })).status).toBe(201);
  });

  it("G-NULL: is still rejected in a required field", async () => {
    const { send } = await openAdapter({ assumptions: { nullFields: "accept" } });
    const json = { events: [usage({ name: null })] };
    expect(problems(await send(INGEST, { json }))).toEqual(["body.events.0.name string_type"]);
  });

  it.each([{}, { nullFields: "accept" } as const])(
    "G-NULL: clears the name of an endpoint (%j)",
    async (assumptions) => {
      const { mock, send } = await openAdapter({ assumptions });
      const { id } = mock.webhookEndpoints.create({ name: "Orders" });
      const { body } = await send(`PATCH /v1/webhooks/endpoints/${id}`, { json: { name: null } });
      expect(body).toMatchObject({ name: null });
    },
  );
});

describe("the URL of an endpoint", () => {
  const OUTSIDE = ["https://hooks.example/", "https://100.128.0.1/", "https://[2606:4700::1]/"];
  const INSIDE = [
    "https://localhost/",
    "https://app.localhost:3000/",
    "https://printer.local/",
    "https://2130706433/",
    "https://0.0.0.0/",
    "https://10.1.2.3/",
    "https://100.64.0.1/",
    "https://169.254.169.254/",
    "https://172.31.0.1/",
    "https://192.168.1.1/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[fc00::1]/",
    "https://[fe80::1]/",
  ];

  it("G-WHE-URL: must use https: outside private networks in a strict mock, and not otherwise", async () => {
    const { send } = await openAdapter(only("endpointUrl"));
    const standard = await openAdapter();
    const create = (url: string, by = send) => by(CREATE, { json: endpointInput({ url }) });
    for (const url of OUTSIDE) expect((await create(url)).status).toBe(201);
    for (const url of INSIDE) expect((await create(url, standard.send)).status).toBe(201);
    for (const url of [...INSIDE, "http://hooks.example/"]) {
      expect([url, ...problems(await create(url))]).toEqual([url, "body.url value_error"]);
    }
  });
});

describe("a body that is too large", () => {
  it("G-413: is answered with its limit", async () => {
    const standard = await openAdapter({ assumptions: { maxBodyBytes: 10 } });
    const json = { events: [usage()] };
    const detail = "The body is larger than 10 bytes.";
    expect(await standard.send(INGEST, { json })).toMatchObject({
      status: 413,
      body: { error: "RequestBodyTooLarge", detail },
    });
  });
});
