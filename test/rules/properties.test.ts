import fc from "fast-check";
import { expect, it } from "vitest";
import { holds } from "../fuzz/parameters.ts";
import { openAdapter } from "../support/adapter.ts";
import { endpointInput, usage } from "../support/samples.ts";

/** A valid value of a header: visible ASCII, with spaces inside. */
const headerText = fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)) });
const moment = fc.date({ min: new Date("1900-01-01"), max: new Date("2999-01-01"), noInvalidDate: true });

it("SEC-1: any string as a credential returns 401", async () => {
  const { send } = await openAdapter();
  const scheme = fc.constantFrom("", "Bearer ", "bearer ");
  await holds(50, fc.tuple(scheme, headerText), async (parts) => {
    const sent = { token: null, headers: { Authorization: parts.join("") } };
    expect((await send("GET /v1/products/", sent)).status).toBe(401);
  });
});

it("EVT-2, G-EVT-TIME: any time with an offset is accepted and stored", async () => {
  const { mock, ingest } = await openAdapter();
  const offset = fc.constantFrom("Z", "+00:00", "-11:30", "+05:45", "+14:00");
  await holds(50, fc.tuple(moment, offset), async ([date, zone]) => {
    const timestamp = date.toISOString().replace("Z", zone);
    await ingest([usage({ timestamp })]);
    expect(mock.events.list().at(-1)?.timestamp).toBe(timestamp);
  });
});

it("WHE-8: any time is written in UTC with six digits of fraction", async () => {
  let now = new Date();
  const { client } = await openAdapter({ now: () => now });
  await holds(50, moment, async (date) => {
    now = date;
    const { created_at } = await client().webhooks.createEndpoint(endpointInput());
    expect(created_at).toBe(date.toISOString().replace("Z", "000Z"));
  });
});
