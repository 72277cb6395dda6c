import { describe, expect, it } from "vitest";
import { strict } from "../../mock/index.ts";
import { openAdapter, problems, testedVersion } from "../support/adapter.ts";
import { CUSTOMER, usage } from "../support/samples.ts";

const INGEST = "POST /v1/events/ingest";
const EXTERNAL = { name: "api.call", external_customer_id: "acme" };
const PLACE = "body.events.0";

describe("an event", () => {
  it("EVT-1, EVT-2, G-EVT-EXT: is stored as sent, with all its fields, for both kinds of customer", async () => {
    const { mock, client } = await openAdapter();
    const [one, two] = [mock.organizations.create(), mock.organizations.create()];
    const user = mock.users.create({ organization_ids: [one.id, two.id] });
    const shared = {
      timestamp: "2025-01-02T03:04:05.678901+05:30",
      organization_id: two.id,
      parent_id: "event-0",
      metadata: { pages: 3, price: -0.5, region: "Zürich 🌍", paid: true },
    };
    const events = [
      usage({ ...shared, name: " Api call ", external_id: "event-1", member_id: "member-1" }),
      { ...EXTERNAL, ...shared, external_id: "event-2", external_member_id: "member" },
    ];
    await client(testedVersion, { accessToken: mock.issueToken({ type: "pat", user }) }).events.ingest(events);
    const added = { id: expect.any(String), ingested_at: expect.any(String) };
    expect(mock.events.list()).toEqual(events.map((event) => ({ ...event, ...added })));
  });

  it("G-EVT-REQ: defaults to the time of receipt and empty metadata", async () => {
    const { mock, client } = await openAdapter({ now: "2025-02-03T04:05:06Z" });
    await client().events.ingest([usage()]);
    const timestamp = "2025-02-03T04:05:06.000000Z";
    expect(mock.events.list()).toMatchObject([{ timestamp, ingested_at: timestamp, metadata: {} }]);
  });

  it.each([
    ["a customer that is not a string", usage({ customer_id: 7 }), "customer_id string_type"],
    [
      "an external customer that is not a string",
      { ...EXTERNAL, external_customer_id: 7 },
      "external_customer_id string_type",
    ],
    ["null for an optional field", usage({ external_id: null }), "external_id string_type"],
    ["a parent that is not a string", usage({ parent_id: 1 }), "parent_id string_type"],
    ["a member that is not a string", usage({ member_id: {} }), "member_id string_type"],
    ["an organization that is not a UUID", usage({ organization_id: "acme" }), "organization_id uuid_parsing"],
    ["metadata that is null", usage({ metadata: null }), "metadata dict_type"],
    ["metadata that is a list", usage({ metadata: [1] }), "metadata dict_type"],
  ])("G-EVT-REQ, ING-5: returns 422 at the field for %s", async (_what, event, expected) => {
    const { mock, send } = await openAdapter();
    expect(problems(await send(INGEST, { json: { events: [event] } }))).toEqual([`${PLACE}.${expected}`]);
    expect(mock.events.size).toBe(0);
  });

  it("G-EVT-REQ: without a customer, names both fields that identify one", async () => {
    const { send } = await openAdapter();
    const answer = await send(INGEST, { json: { events: [{ name: "api.call" }, {}] } });
    expect(problems(answer)).toEqual([
      "body.events.0.customer_id missing",
      "body.events.1.name missing",
      "body.events.1.customer_id missing",
    ]);
    const told = "One of these fields is required: customer_id, external_customer_id";
    const { detail } = answer.body as { detail: { msg: string }[] };
    expect(detail.map(({ msg }) => msg)).toEqual([told, "Field required", told]);
  });

  it("G-EVT-REQ: belongs to a customer with a UUID of any version, and has a name of any length", async () => {
    const { mock, client } = await openAdapter({ assumptions: { unknownCustomers: "reject" } });
    const customers = [..."12345678"].map((digit) => `c232ab00-9414-${digit}1ec-b3c8-9f6bdeced846`);
    for (const id of customers) mock.customers.create({ id });
    const events = customers.map((customer_id) => usage({ customer_id }));
    const named = ["", "🌍".repeat(1_000)].map((name) => ({ ...events[0]!, name }));
    expect(await client().events.ingest([...events, ...named])).toEqual({ inserted: 10, duplicates: 0 });
  });

  it("G-UUID-FORM: accepts UUIDs in upper case, stores them in lower case, and accepts no other form", async () => {
    const { mock, send } = await openAdapter();
    const ingest = (customer_id: string) => send(INGEST, { json: { events: [usage({ customer_id })] } });
    expect((await ingest(CUSTOMER.toUpperCase())).status).toBe(200);
    expect(mock.events.list()).toMatchObject([{ customer_id: CUSTOMER }]);
    for (const other of [CUSTOMER.replaceAll("-", ""), `{${CUSTOMER}}`, `urn:uuid:${CUSTOMER}`]) {
      expect(problems(await ingest(other))).toEqual([`${PLACE}.customer_id uuid_parsing`]);
    }
  });
});

describe("an event with other assumptions", () => {
  it("G-EVT-REQ: strict accepts names of 1 to 128 characters, each counted once in any encoding", async () => {
    const { send } = await openAdapter({ assumptions: { eventName: strict.eventName } });
    const json = (names: readonly string[]) => ({ json: { events: names.map((name) => usage({ name })) } });
    expect((await send(INGEST, json(["x", "🌍".repeat(128)]))).status).toBe(200);
    expect(problems(await send(INGEST, json(["", "x".repeat(129)])))).toEqual([
      "body.events.0.name string_too_short",
      "body.events.1.name string_too_long",
    ]);
  });

  it("G-EVT-BOTH: accepts both customer ids and uses customer_id", async () => {
    const { mock, send } = await openAdapter({ assumptions: { bothCustomerIds: "accept" } });
    const event = usage({ external_customer_id: "acme" });
    expect((await send(INGEST, { json: { events: [event, EXTERNAL] } })).status).toBe(200);
    expect(mock.events.list()).toMatchObject([usage(), EXTERNAL]);
    expect(mock.events.list()[0]).not.toHaveProperty("external_customer_id");
    const wrong = { events: [{ ...event, name: 1, customer_id: "acme" }] };
    expect(problems(await send(INGEST, { json: wrong })).sort()).toEqual([
      `${PLACE}.customer_id uuid_parsing`,
      `${PLACE}.name string_type`,
    ]);
  });
});
