import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import { versionNames, versions } from "../support/clients.ts";
import { failureOf } from "./service.ts";
import { tinyClient } from "./tiny-contract.ts";

function account(version: keyof typeof versions) {
  const mock = createMock();
  const client = versions[version].createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });
  return { mock, client };
}

describe.each(versionNames)("a client of %s", (version) => {
  it("G-EVT-TIME: sends a Date in UTC with milliseconds, which the service accepts", async () => {
    const { mock, client } = account(version);
    const event = {
      name: "api.call",
      external_customer_id: "acme",
      timestamp: new Date("2025-01-02T03:04:05.678+02:00"),
    };
    expect(await client.events.ingest([event])).toEqual({ inserted: 1, duplicates: 0 });
    expect(mock.events.list()[0]?.timestamp).toBe("2025-01-02T01:04:05.678Z");
  });

  it("omits undefined fields", async () => {
    const { mock, client } = account(version);
    const undefinedFields = {
      timestamp: undefined,
      external_id: undefined,
      metadata: undefined,
      customer_id: undefined,
    };
    await client.events.ingest([{ name: "api.call", external_customer_id: "acme", ...undefinedFields }]);
    expect(mock.events.list()[0]).not.toHaveProperty("external_id");
    const input = {
      url: "https://shop.example",
      format: "raw",
      events: ["order.paid"],
      api_version: undefined,
    } as const;
    const { id } = await client.webhooks.createEndpoint(input);
    expect(await client.webhooks.updateEndpoint(id, { url: undefined, enabled: false })).toMatchObject({
      url: input.url,
      enabled: false,
    });
    expect(await client.products.list({ page: undefined })).toMatchObject({ items: [] });
  });

  it("rejects an invalid Date with its path, and sends nothing", async () => {
    const { mock, client } = account(version);
    const events = [{ name: "a", external_customer_id: "acme" }].map((event, index) => ({
      ...event,
      timestamp: index === 0 ? new Date("yesterday") : new Date(),
    }));
    const error = await failureOf(client.events.ingest(events));
    expect(error).toMatchObject({
      name: "InvalidInputError",
      message: "events:ingest: body.events[0].timestamp must be a valid Date",
    });
    expect(mock.requests.count).toBe(0);
  });
});

describe.each(versionNames)("an event of %s is not safe to send twice", (version) => {
  const inherited = Object.assign(Object.create({ external_id: "event-1" }), { name: "a" });
  it.each([
    ["null", { external_id: null }],
    ["undefined", { external_id: undefined }],
    ["an empty string", { external_id: "" }],
    ["a number", { external_id: 7 }],
    ["an object", { external_id: {} }],
    ["an inherited string, which JSON leaves out", inherited],
  ])("when its external_id is %s", async (_, event) => {
    let sent = 0;
    const fetch = async (): Promise<Response> => {
      sent += 1;
      return new Response(null, { status: 503, headers: { "retry-after": "0" } });
    };
    const client = versions[version].createClient({ accessToken: "token", fetch });
    await failureOf(client.events.ingest([event]));
    expect(sent).toBe(1);
  });
});

describe("a value that JSON would turn into null or {}", () => {
  it.each([
    ["NaN", { size: Number.NaN }, "body.size must be a finite number; received NaN"],
    [
      "Infinity",
      { size: [1, { deep: Number.POSITIVE_INFINITY }] },
      "body.size[1].deep must be a finite number; received Infinity",
    ],
    ["undefined in an array", { size: [undefined] }, "body.size[0] must not be undefined"],
    ["a hole in an array", { size: new Array(1) }, "body.size[0] must not be undefined"],
    ["a function in an array", { size: [() => {}] }, "body.size[0] must not be a function"],
    ["a Set", { size: new Set([1]) }, "body.size must be a JSON value; received a Set"],
    ["an invalid Date", { "odd name": new Date(Number.NaN) }, 'body["odd name"] must be a valid Date'],
  ])("%s is rejected", async (_, body, says) => {
    const error = await failureOf(tinyClient().add(body as never));
    expect(error).toMatchObject({ name: "InvalidInputError", message: `things:add: ${says}` });
  });

  it("is not confused with null or an object with toJSON", async () => {
    const bodies: unknown[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      bodies.push(await request.json());
      return Response.json({}, { status: 201, headers: { "service-version": "2020-01" } });
    };
    const client = tinyClient({ fetch, onResponseMismatch: "ignore" });
    await client.add({ size: [null, "null", { toJSON: () => null }, new Date(0)] });
    expect(bodies).toEqual([{ size: [null, "null", null, "1970-01-01T00:00:00.000Z"] }]);
  });
});
