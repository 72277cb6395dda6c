import { describe, expect, it } from "vitest";
import { openAdapter, problems } from "../support/adapter.ts";
import { NOBODY, usage } from "../support/samples.ts";

const INGEST = "POST /v1/events/ingest";

describe("ingesting events", () => {
  it("ING-1, ING-2, G-ING-STATUS, G-ING-SUM: returns 200 with the number of inserted and duplicate events", async () => {
    const { mock, client } = await openAdapter();
    const batch = ["a", "b", "a", "c"].map((external_id) => usage({ external_id }));
    const { data, response } = await client().events.ingest(batch).withResponse();
    expect(response.status).toBe(200);
    expect(data).toEqual({ inserted: 3, duplicates: 1 });
    expect(mock.events.list().map((event) => event.external_id)).toEqual(["a", "b", "c"]);
    expect(await client().events.ingest(batch)).toEqual({ inserted: 0, duplicates: 4 });
    expect(mock.events.size).toBe(3);
  });

  it("ING-5, G-ING-ATOMIC: a batch with one invalid event among thousands stores nothing, and names the field", async () => {
    const { mock, client } = await openAdapter();
    const events = Array.from({ length: 3000 }, (_, i) => usage({ external_id: `event-${i}` }));
    events[2345] = usage({ external_id: "bad", name: 1 });
    const { error } = await client().events.ingest(events).safe();
    expect(error).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "events", 2345, "name"] }] } });
    expect(mock.events.size).toBe(0);
    events.splice(2345, 1);
    expect(await client().events.ingest(events)).toEqual({ inserted: 2999, duplicates: 0 });
  });

  it("ING-5, ERR-2: every invalid field of every event is named in one response", async () => {
    const { send } = await openAdapter();
    const broken = usage({ timestamp: "x", name: 1, metadata: "region" });
    const events = [broken, usage(), { name: [], external_customer_id: 5 }, "event", null];
    expect(problems(await send(INGEST, { json: { events } })).sort()).toEqual([
      "body.events.0.metadata dict_type",
      "body.events.0.name string_type",
      "body.events.0.timestamp datetime_parsing",
      "body.events.2.external_customer_id string_type",
      "body.events.2.name string_type",
      "body.events.3 dict_type",
      "body.events.4 dict_type",
    ]);
  });
});

describe("the batch", () => {
  it.each([
    [{ events: null }, "body.events list_type"],
    ["events", "body dict_type"],
    [null, "body dict_type"],
  ])("ING-2: returns 422 for %j", async (json, problem) => {
    const { send } = await openAdapter();
    expect(problems(await send(INGEST, { json }))).toEqual([problem]);
  });

  it("ING-1, G-EMPTY: may be empty", async () => {
    const { client } = await openAdapter();
    expect(await client().events.ingest([])).toEqual({ inserted: 0, duplicates: 0 });
  });
});

describe("a duplicate", () => {
  it("G-EVT-DUP: has the external_id of a stored event, whatever its other fields", async () => {
    const { mock, client } = await openAdapter();
    await client().events.ingest([usage({ external_id: "a", name: "first" })]);
    const other = { name: "second", external_customer_id: "acme", external_id: "a" };
    expect(await client("2025-04").events.ingest([other])).toEqual({ inserted: 0, duplicates: 1 });
    expect(mock.events.list()).toMatchObject([{ name: "first" }]);
  });

  it("G-EVT-DUP: is counted separately for each organization", async () => {
    const { mock, client } = await openAdapter();
    const batch = [usage({ external_id: "a" })];
    const organization = mock.organizations.create();
    const other = client("2025-01", { accessToken: mock.issueToken({ organization }) });
    expect(await client().events.ingest(batch)).toEqual({ inserted: 1, duplicates: 0 });
    expect(await other.events.ingest(batch)).toEqual({ inserted: 1, duplicates: 0 });
    expect(await other.events.ingest(batch)).toEqual({ inserted: 0, duplicates: 1 });
  });

  it("G-EVT-DUP: is not an event with no external_id or a different one", async () => {
    const { client } = await openAdapter();
    const ids = ["a", "A", " a", "a ", "ä", "a\u0308", "", "__proto__", "constructor"];
    const batch = [usage(), usage(), ...ids.map((external_id) => usage({ external_id }))];
    expect(await client().events.ingest(batch)).toEqual({ inserted: batch.length, duplicates: 0 });
  });
});

describe("the organization that owns an event", () => {
  it("G-EVT-ORG: is the organization access token's organization; others are rejected", async () => {
    const { mock, send } = await openAdapter();
    const organization = mock.organizations.create();
    const token = mock.issueToken({ organization });
    const ingest = (fields: object) => send(INGEST, { token, json: { events: [usage(fields)] } });
    expect((await ingest({})).status).toBe(200);
    expect((await ingest({ organization_id: organization.id.toUpperCase() })).status).toBe(200);
    const own = { organization_id: organization.id };
    expect(mock.events.list()).toMatchObject([own, own]);
    for (const organization_id of [mock.organizations.list()[0]?.id, NOBODY]) {
      expect(problems(await ingest({ organization_id }))).toEqual(["body.events.0.organization_id value_error"]);
    }
    expect(mock.events.size).toBe(2);
  });

  it("G-EVT-ORG: is named, or the only one, with a personal access token", async () => {
    const { mock, send } = await openAdapter();
    const [one, two] = [mock.organizations.create(), mock.organizations.create()];
    const single = mock.issueToken({ type: "pat", user: mock.users.create({ organization_ids: [one.id] }) });
    const several = mock.issueToken({ type: "pat", user: mock.users.create({ organization_ids: [one.id, two.id] }) });
    const ingest = (token: string, fields: object) => send(INGEST, { token, json: { events: [usage(fields)] } });
    expect((await ingest(single, {})).status).toBe(200);
    expect((await ingest(several, { organization_id: two.id })).status).toBe(200);
    expect(mock.events.list().map((event) => event.organization_id)).toEqual([one.id, two.id]);
    expect(problems(await ingest(several, {}))).toEqual(["body.events.0.organization_id missing"]);
    expect(problems(await ingest(single, { organization_id: two.id }))).toHaveLength(1);
    expect(mock.events.size).toBe(2);
  });
});
