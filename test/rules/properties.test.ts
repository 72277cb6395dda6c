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

fc.configureGlobal({ numRuns: 50 });

describe("any input", () => {
  it("ING-5, G-422: any string returns 200 or 422", async () => {
    const { send } = await openAdapter();
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0057eE+-.truefalsn ') }));
    await fc.assert(
      fc.asyncProperty(text, async (body) => {
        expect([200, 422]).toContain((await send(INGEST, { body })).status);
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
