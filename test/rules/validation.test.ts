import { describe, expect, it } from "vitest";
import { openAdapter, problems } from "../support/adapter.ts";
import { endpointInput, usage } from "../support/samples.ts";

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

  it("ERR-2, ING-5: names an invalid field once if assumptions reject more", async () => {
    const assumptions = { unknownCustomers: "reject", futureEvents: "reject" } as const;
    const { send } = await openAdapter({ assumptions });
    const events = [usage({ customer_id: "x", timestamp: "2999-01-01" })];
    expect(problems(await send(INGEST, { json: { events } }))).toEqual([
      "body.events.0.timestamp datetime_parsing",
      "body.events.0.customer_id uuid_parsing",
    ]);
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
