import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openAdapter } from "../support/adapter.ts";
import { versionNames } from "../support/clients.ts";
import { endpointInput, TIMESTAMP, usage } from "../support/samples.ts";

const INGEST = "POST /v1/events/ingest";
const SUPPORTED: readonly string[] = versionNames;

/** A valid value of a header: visible ASCII, with spaces inside. */
const headerText = fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)) });
const month = fc.tuple(fc.integer({ min: 2023, max: 2027 }), fc.integer({ min: 0, max: 13 }));
const versionLike = month.map(([year, number]) => `${year}-${String(number).padStart(2, "0")}`);

/** Generates objects similar to events, with each field valid, invalid or missing. */
const nearlyEvent = fc.record(
  {
    name: fc.oneof(fc.constant("api.call"), fc.jsonValue()),
    customer_id: fc.oneof(fc.uuid({ version: 4 }), fc.jsonValue()),
    external_customer_id: fc.oneof(fc.string(), fc.jsonValue()),
    timestamp: fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.jsonValue(),
    ),
    external_id: fc.oneof(fc.string(), fc.jsonValue()),
    metadata: fc.oneof(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.double(), fc.boolean())), fc.jsonValue()),
    organization_id: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

fc.configureGlobal({ numRuns: 50 });

describe("any input", () => {
  it("ING-1, ING-2, G-EVT-DUP: inserted and duplicates add up to the batch, and match the stored events", async () => {
    const { mock, client } = await openAdapter();
    const { events } = client();
    const ids = new Set<string>();
    let nameless = 0;
    const id = fc.option(fc.constantFrom("a", "b", "c", "d"), { nil: undefined });
    const batch = fc.array(id, { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(batch, async (externalIds) => {
        const sent = externalIds.map((external_id) => usage(external_id === undefined ? {} : { external_id }));
        const { inserted, duplicates } = await events.ingest(sent);
        expect(inserted + duplicates).toBe(externalIds.length);
        for (const external_id of externalIds) {
          if (external_id === undefined) nameless += 1;
          else ids.add(external_id);
        }
        expect(mock.events.size).toBe(nameless + ids.size);
      }),
    );
  });

  it("ING-2, ING-5: any JSON returns 200 or 422, and is stored completely or not at all", async () => {
    const { mock, send } = await openAdapter();
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({ events: fc.jsonValue() }),
      fc.record({ events: fc.array(nearlyEvent, { maxLength: 4 }) }),
    );
    await fc.assert(
      fc.asyncProperty(body, async (json) => {
        const before = mock.events.size;
        const answer = await send(INGEST, { json });
        expect([200, 422]).toContain(answer.status);
        const { inserted } = answer.body as { inserted?: number };
        expect(mock.events.size - before).toBe(inserted ?? 0);
      }),
      { numRuns: 100, examples: [[{ events: [{ organization_id: { toString: null } }] }]] },
    );
  });

  it("ING-5, G-422: any string returns 200 or 422", async () => {
    const { send } = await openAdapter();
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0057eE+-.truefalsn ') }));
    await fc.assert(
      fc.asyncProperty(text, async (body) => {
        expect([200, 422]).toContain((await send(INGEST, { body })).status);
      }),
    );
  });

  it("WHE-9: any JSON to create an endpoint returns 201 or 422", async () => {
    const { mock, send } = await openAdapter();
    const fields = fc.record(
      {
        url: fc.oneof(fc.webUrl(), fc.jsonValue()),
        name: fc.jsonValue(),
        api_version: fc.oneof(versionLike, fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fields.map(endpointInput), fc.jsonValue()), async (json) => {
        const before = mock.webhookEndpoints.size;
        const { status } = await send("POST /v1/webhooks/endpoints", { json });
        expect([201, 422]).toContain(status);
        expect(mock.webhookEndpoints.size - before).toBe(status === 201 ? 1 : 0);
      }),
    );
  });

  it("VER-1, ERR-3: any string as a version returns 200 if it is supported, else 404", async () => {
    const { send } = await openAdapter();
    await fc.assert(
      fc.asyncProperty(fc.oneof(headerText, versionLike), async (version) => {
        const { status, headers } = await send("GET /v1/products/", { headers: { "Service-Version": version } });
        const supported = SUPPORTED.includes(version.trim());
        expect(status).toBe(supported ? 200 : 404);
        expect(headers.get("service-version")).toBe(supported ? version.trim() : "2025-01");
      }),
    );
  });

  it("GET-3, G-404: any id returns 404, 405 or 422", async () => {
    const { send } = await openAdapter();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), async (id) => {
        const { status } = await send(`GET /v1/webhooks/endpoints/${encodeURIComponent(id)}`);
        expect([404, 405, 422]).toContain(status);
      }),
    );
  });

  it("SEC-1: any string as a credential returns 401", async () => {
    const { send } = await openAdapter();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("", "Bearer ", "bearer "), headerText, async (scheme, text) => {
        const sent = { token: null, headers: { Authorization: scheme + text } };
        expect((await send("GET /v1/products/", sent)).status).toBe(401);
      }),
    );
  });

  it("EVT-2, G-EVT-TIME: any time with an offset is accepted and stored", async () => {
    const { mock, client } = await openAdapter();
    const { events } = client();
    const moment = fc.date({ min: new Date("1900-01-01"), max: new Date("2999-01-01"), noInvalidDate: true });
    const offset = fc.constantFrom("Z", "+00:00", "-11:30", "+05:45", "+14:00");
    await fc.assert(
      fc.asyncProperty(moment, offset, async (date, zone) => {
        const timestamp = date.toISOString().replace("Z", zone);
        await events.ingest([usage({ timestamp })]);
        expect(mock.events.list().at(-1)?.timestamp).toBe(timestamp);
      }),
    );
  });

  it("WHE-8: any time is written in UTC with six digits of fraction", async () => {
    const moment = fc.date({ min: new Date("1970-01-01"), max: new Date("2999-01-01"), noInvalidDate: true });
    await fc.assert(
      fc.asyncProperty(moment, async (now) => {
        const { client, close } = await openAdapter({ now });
        const { created_at } = await client().webhooks.createEndpoint(endpointInput());
        await close();
        expect(created_at).toMatch(TIMESTAMP);
        expect(Date.parse(created_at)).toBe(now.getTime());
      }),
      { numRuns: 20 },
    );
  });
});
