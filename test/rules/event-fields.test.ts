import { describe, expect, it } from "vitest";
import { strict } from "../../mock/index.ts";
import { type Adapter, openAdapter, problems, type Sent, testedVersion } from "../support/adapter.ts";
import { CUSTOMER, usage } from "../support/samples.ts";

const EXTERNAL = { name: "api.call", external_customer_id: "acme" };

/** UUIDs of a version and of a variant that RFC 9562 does not define. */
const NOT_IN_RFC = ["6f1c0a52-3b0d-9c55-9d0e-0a4d1e6f7b21", "6f1c0a52-3b0d-1c55-cd0e-0a4d1e6f7b21"];

/** An event, and its problems in a 422. */
type Rejected = readonly [event: unknown, ...problems: readonly string[]];

/** Sends a batch, and expects a 422 with exactly the problems of its events. */
async function expectRejected(ingest: Adapter["ingest"], batch: readonly Rejected[], sent: Sent = {}) {
  const events = batch.map(([event]) => event);
  const expected = batch.flatMap(([, ...found], index) => found.map((problem) => `body.events.${index}${problem}`));
  expect(problems(await ingest(events, sent))).toEqual(expected);
}

function pairs(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, i]));
}

describe("an event", () => {
  it("EVT-1, EVT-2, G-EVT-EXT, G-EVT-REQ: is stored as sent, with all its fields, for both kinds of customer", async () => {
    const { mock, client } = await openAdapter({ now: "2025-02-03T04:05:06Z" });
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
      usage({ organization_id: one.id }),
    ];
    await client(testedVersion, { accessToken: mock.issueToken({ type: "pat", user }) }).events.ingest(events);
    const ingested_at = "2025-02-03T04:05:06.000000Z";
    const defaults = { timestamp: ingested_at, metadata: {} };
    const added = { id: expect.any(String), ingested_at };
    expect(mock.events.list()).toStrictEqual(events.map((event) => ({ ...defaults, ...event, ...added })));
  });

  it("EVT-2, G-EVT-TIME, G-EVT-META: may have any time with an offset, and any JSON as metadata", async () => {
    const { mock, client } = await openAdapter();
    const times = ["2025-01-02T03:04:05Z", "2025-01-02T03:04:05.123456789Z", "2024-02-29T23:59:59-00:30"];
    const nested = { list: [1, "two", null, [false], { deep: { deeper: {} } }], none: null, empty: "", "": 1 };
    const metadata = [nested, { ["k".repeat(41)]: "v".repeat(501), ...pairs(51) }];
    const events = [...times.map((timestamp) => ({ timestamp })), ...metadata.map((each) => ({ metadata: each }))];
    await client().events.ingest(events.map(usage));
    expect(mock.events.list()).toMatchObject(events);
  });

  it("G-EVT-REQ, G-EVT-TIME, ING-5, ERR-2, G-422: returns 422 with every problem of every event, and stores nothing", async () => {
    const { mock, ingest } = await openAdapter();
    const days = ["2025-01-02", "2025-01-02 03:04:05Z", "2025-02-29T00:00:00Z", "2025-01-02T03:04:05+0100"];
    const times = [...days, "2016-12-31T23:59:60Z", ""];
    const rejected: Rejected[] = [
      [usage({ customer_id: 7 }), ".customer_id string_type"],
      [{ ...EXTERNAL, external_customer_id: 7 }, ".external_customer_id string_type"],
      [usage({ external_id: null, parent_id: 1 }), ".external_id string_type", ".parent_id string_type"],
      [usage({ member_id: {}, organization_id: "acme" }), ".organization_id uuid_parsing", ".member_id string_type"],
      [usage({ metadata: null }), ".metadata dict_type"],
      [usage({ metadata: [1] }), ".metadata dict_type"],
      [null, " dict_type"],
      [usage({ timestamp: 1735787045 }), ".timestamp string_type"],
      [usage({ timestamp: "2025-01-02T03:04:05.123" }), ".timestamp timezone_aware"],
      ...times.map((timestamp): Rejected => [usage({ timestamp }), ".timestamp datetime_parsing"]),
    ];
    await expectRejected(ingest, rejected);
    expect(mock.events.size).toBe(0);
  });

  it("G-EVT-REQ, ERR-2: returns 422 that contains the received value, or which of two fields is required", async () => {
    const { ingest } = await openAdapter();
    const msg = "One of these fields is required: customer_id, external_customer_id";
    const at = (index: number, field: string) => ({ loc: ["body", "events", index, field] });
    const { body } = await ingest([{ name: 5 }, {}]);
    expect(body).toEqual({
      detail: [
        { ...at(0, "name"), msg: "Input should be a valid string", type: "string_type", input: 5 },
        { ...at(0, "customer_id"), msg, type: "missing" },
        { ...at(1, "name"), msg: "Field required", type: "missing" },
        { ...at(1, "customer_id"), msg, type: "missing" },
      ],
    });
  });

  it("G-EVT-REQ: belongs to a customer with a UUID of any version, and has a name of any length", async () => {
    const { mock, client } = await openAdapter({ assumptions: { unknownCustomers: "reject" } });
    const customers = [..."12345678"].map((digit) => `c232ab00-9414-${digit}1ec-b3c8-9f6bdeced846`);
    for (const id of customers) mock.customers.create({ id });
    const events = customers.map((id) => usage({ customer_id: id.toUpperCase() }));
    const named = ["", "🌍".repeat(1_000)].map((name) => ({ ...events[0]!, name }));
    expect(await client().events.ingest([...events, ...named])).toEqual({ inserted: 10, duplicates: 0 });
  });

  it("G-UUID-FORM: accepts UUIDs in upper case, stores them in lower case, and accepts no other form", async () => {
    const { mock, ingest } = await openAdapter();
    expect((await ingest([usage({ customer_id: CUSTOMER.toUpperCase() })])).status).toBe(200);
    expect(mock.events.list()).toMatchObject([{ customer_id: CUSTOMER }]);
    const others = [CUSTOMER.replaceAll("-", ""), `{${CUSTOMER}}`, `urn:uuid:${CUSTOMER}`, ...NOT_IN_RFC];
    const rejected = others.map((customer_id): Rejected => [usage({ customer_id }), ".customer_id uuid_parsing"]);
    await expectRejected(ingest, rejected);
  });
});

describe("an event with other assumptions", () => {
  const having = (metadata: object) => usage({ metadata });

  it("G-EVT-REQ, G-EVT-META: strict counts each character once, and names the limit that is exceeded", async () => {
    const { eventName, metadata } = strict;
    const { ingest } = await openAdapter({ assumptions: { eventName, metadata: { ...metadata, minValueLength: 2 } } });
    const [key, value] = ["k".repeat(40), "🌍".repeat(500)];
    expect((await ingest([usage({ name: "🌍".repeat(128), metadata: { [key]: value, _cost: {} } })])).status).toBe(200);
    expect((await ingest([usage({ metadata: pairs(50) })])).status).toBe(200);
    const rejected: Rejected[] = [
      [usage({ name: "" }), ".name string_too_short"],
      [usage({ name: "x".repeat(129) }), ".name string_too_long"],
      [having({ ...pairs(50), "": 1 }), ".metadata too_long"],
      [having({ ...pairs(49), "": 1 }), ".metadata. string_too_short"],
      [having({ [`${key}k`]: 1 }), `.metadata.${key}k string_too_long`],
      [having({ a: "🌍", b: `${value}v` }), ".metadata.a string_too_short", ".metadata.b string_too_long"],
      [having({ a: [1], b: {} }), ".metadata.a string_type", ".metadata.b string_type"],
      [having({ _cost: [1] }), ".metadata._cost string_type"],
    ];
    await expectRejected(ingest, rejected);
  });

  it("G-EVT-BOTH: rejects both customer ids, and names them", async () => {
    const { ingest } = await openAdapter();
    const { body } = await ingest([usage({ external_customer_id: "acme" })]);
    const msg = "Give external_customer_id or customer_id, not both";
    expect(body).toMatchObject({ detail: [{ loc: ["body", "events", 0, "external_customer_id"], msg }] });
    const { body: invalid } = await ingest([usage({ external_customer_id: "acme", customer_id: "no uuid" })]);
    expect(invalid).toMatchObject({ detail: [{ msg: "Give customer_id or external_customer_id, not both" }] });
  });

  it("G-EVT-CUST: the customer must belong to the organization of the event, which it may name", async () => {
    const { mock, ingest } = await openAdapter({ assumptions: { unknownCustomers: "reject" } });
    const [one, two] = [mock.organizations.create(), mock.organizations.create()];
    const [own, foreign] = [one, two].map(({ id }) =>
      usage({ customer_id: mock.customers.create({ organization_id: id }).id }),
    );
    const rejected: Rejected[] = [[own], [foreign, ".customer_id value_error"], [usage(), ".customer_id value_error"]];
    await expectRejected(ingest, rejected, { token: mock.issueToken({ organization: one }) });
    const user = mock.users.create({ organization_ids: [one.id, two.id] });
    const repeated = mock.users.create({ organization_ids: [one.id, one.id] });
    expect((await ingest([own], { token: mock.issueToken({ type: "pat", user: repeated }) })).status).toBe(200);
    const named = (organization: typeof one) =>
      ingest([{ ...foreign, organization_id: organization.id }], { token: mock.issueToken({ type: "pat", user }) });
    expect((await named(two)).status).toBe(200);
    expect(problems(await named(one))).toEqual(["body.events.0.customer_id value_error"]);
    const unnamed = await ingest([foreign, EXTERNAL], { token: mock.issueToken({ type: "pat", user }) });
    expect(problems(unnamed)).toEqual([0, 1].map((i) => `body.events.${i}.organization_id missing`));
  });

  it("G-NULL: null in an optional field counts as omitted if the assumption accepts it", async () => {
    const { mock, send, ingest } = await openAdapter({ assumptions: { nullFields: "accept" } });
    const nulls = { external_id: null, timestamp: null, metadata: null, organization_id: null, parent_id: null };
    const events = [usage({ ...nulls, external_customer_id: null }), { ...EXTERNAL, ...nulls }];
    expect((await ingest(events)).body).toEqual({ inserted: 2, duplicates: 0 });
    expect(mock.events.list()).toMatchObject([usage({ metadata: {} }), { ...EXTERNAL, metadata: {} }]);
    for (const event of mock.events.list()) expect(event).not.toHaveProperty("external_id");
    expect(problems(await ingest([usage({ name: null })]))).toEqual(["body.events.0.name string_type"]);
    const json = { url: "https://a.example", format: "raw", events: [], api_version: null, name: null };
    expect((await send("POST /v1/webhooks/endpoints", { json })).status).toBe(201);
  });

  it("G-NULL: null counts as omitted in the fields that the assumption lists", async () => {
    const { ingest } = await openAdapter({ assumptions: { nullFields: ["parent_id"] } });
    expect((await ingest([usage({ parent_id: null })])).status).toBe(200);
    expect(problems(await ingest([usage({ external_id: null })]))).toEqual(["body.events.0.external_id string_type"]);
  });

  it("G-FIELDS: a field that the contract does not declare is rejected if the assumption says so, after all others", async () => {
    const { mock, send, ingest } = await openAdapter({ assumptions: { unknownFields: "reject" } });
    expect((await ingest([usage({ metadata: { color: "red" } })])).status).toBe(200);
    const json = { events: [usage(), usage({ color: null })], color: "red" };
    const rejected = ["body.events.1.color extra_forbidden", "body.color extra_forbidden"];
    expect(problems(await send("POST /v1/events/ingest", { json }))).toEqual(rejected);
    expect(problems(await ingest([usage({ name: 1, color: null })]))).toEqual(["body.events.0.name string_type"]);
    expect(mock.events.size).toBe(1);
  });
});
