import { describe, expect, it } from "vitest";
import { openAdapter, problems } from "../support/adapter.ts";
import { endpointInput, NOBODY, usage } from "../support/samples.ts";

const INGEST = "POST /v1/events/ingest";

describe("the response to an invalid request", () => {
  it("ERR-2: contains the received value, if there was one", async () => {
    const { send } = await openAdapter();
    const { body } = await send(INGEST, { json: { events: [usage({ name: 5, customer_id: undefined })] } });
    const { detail } = body as { detail: { loc: unknown[]; input?: unknown }[] };
    const at = (name: string) => detail.find(({ loc }) => loc.includes(name));
    expect(at("name")).toMatchObject({ input: 5 });
    expect(at("customer_id")).not.toHaveProperty("input");
  });

  it("ERR-2: contains a query parameter as the string that was sent", async () => {
    const { send } = await openAdapter();
    const { body } = await send("GET /v1/products/?page=00&limit=1.50");
    const { detail } = body as { detail: { loc: unknown[]; input?: unknown }[] };
    expect(detail.map(({ loc, input }) => [loc.join("."), input])).toEqual([
      ["query.page", "00"],
      ["query.limit", "1.50"],
    ]);
  });

  it.each([
    ["an event's organization", INGEST, { events: [usage({ organization_id: "x" })] }, "body.events.0.organization_id"],
    ["an endpoint's", "POST /v1/webhooks/endpoints", endpointInput({ organization_id: "x" }), "body.organization_id"],
  ])("ERR-2, ING-5: names an invalid field once: %s", async (_, line, json, place) => {
    const { send } = await openAdapter();
    expect(problems(await send(line, { json }))).toEqual([`${place} uuid_parsing`]);
  });

  it("ERR-2, ING-5: names an invalid field once if assumptions reject more", async () => {
    const assumptions = { unknownCustomers: "reject", futureEvents: "reject" } as const;
    const { send } = await openAdapter({ assumptions });
    const events = [usage({ customer_id: "x", timestamp: "2999-01-01" })];
    expect(problems(await send(INGEST, { json: { events } }))).toEqual([
      "body.events.0.timestamp datetime_parsing",
      "body.events.0.customer_id uuid_parsing",
    ]);
  });

  it.each([
    ["path", "GET /v1/webhooks/endpoints/nonsense", {}],
    ["query", "GET /v1/products/?page=0", {}],
    ["header", INGEST, { body: "{}", headers: { "Content-Type": "text/plain" } }],
    ["body", INGEST, { json: {} }],
  ])("G-422: loc starts with %s for a problem there", async (root, line, sent) => {
    const { send } = await openAdapter();
    expect(problems(await send(line, sent))[0]).toMatch(new RegExp(`^${root}\\.`));
  });

  it.each([
    ["missing", INGEST, { json: {} }],
    ["string_type", INGEST, { json: { events: [usage({ name: 1 })] } }],
    ["int_type", "GET /v1/products/?page=x", {}],
    ["bool_type", `PATCH /v1/webhooks/endpoints/${NOBODY}`, { json: { enabled: 1 } }],
    ["list_type", INGEST, { json: { events: 1 } }],
    ["dict_type", INGEST, { json: { events: [1] } }],
    ["uuid_parsing", "GET /v1/webhooks/endpoints/x", {}],
    ["uuid_version", "GET /v1/webhooks/endpoints/c232ab00-9414-11ec-b3c8-9f68deced846", {}],
    ["datetime_parsing", INGEST, { json: { events: [usage({ timestamp: "x" })] } }],
    ["timezone_aware", INGEST, { json: { events: [usage({ timestamp: "2025-01-01T00:00:00" })] } }],
    ["enum", "POST /v1/webhooks/endpoints", { json: endpointInput({ format: "xml" }) }],
    ["json_invalid", INGEST, { body: "{" }],
    ["value_error", "POST /v1/webhooks/endpoints", { json: endpointInput({ url: "x" }) }],
  ])("G-422: has the type %s for its problem", async (type, line, sent) => {
    const { send } = await openAdapter();
    expect(problems(await send(line, sent)).map((problem) => problem.split(" ")[1])).toEqual([type]);
  });

  it("G-422: has the type too_long for a list or an object with too many items", async () => {
    const { send } = await openAdapter({ assumptions: { maxBatchSize: 1, metadata: { maxPairs: 1 } } });
    const large = usage({ metadata: { a: 1, b: 2 } });
    expect(problems(await send(INGEST, { json: { events: [large] } }))).toEqual(["body.events.0.metadata too_long"]);
    expect(problems(await send(INGEST, { json: { events: [large, large] } }))).toEqual(["body.events too_long"]);
  });
});

describe("fields that the contract does not declare", () => {
  const extra = { color: "red" };

  it("G-FIELDS: are rejected if the assumption says so, and nothing is stored", async () => {
    const { mock, send } = await openAdapter({ assumptions: { unknownFields: "reject" } });
    const ingest = await send(INGEST, { json: { events: [usage(), usage({ color: null })], ...extra } });
    expect(ingest.body).toMatchObject({
      detail: [
        { loc: ["body", "events", 1, "color"], type: "extra_forbidden" },
        { loc: ["body", "color"], type: "extra_forbidden" },
      ],
    });
    const create = await send("POST /v1/webhooks/endpoints", { json: endpointInput(extra) });
    expect(problems(create)).toEqual(["body.color extra_forbidden"]);
    const invalid = await send("POST /v1/webhooks/endpoints", { json: { ...endpointInput(extra), url: 5 } });
    expect(problems(invalid)).toEqual(["body.url string_type"]);
    expect(mock.events.size + mock.webhookEndpoints.size).toBe(0);
    const metadata = { color: "red", size: 1 };
    expect((await send(INGEST, { json: { events: [usage({ metadata })] } })).status).toBe(200);
  });
});
