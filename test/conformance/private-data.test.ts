import { expect, it } from "vitest";
import { deviating } from "./deviating.ts";
import { observe, observedMock } from "./observed-mock.ts";

it("no report contains the customer or an organization, also where a request is cut", async () => {
  const observed = observedMock();
  const customerId = crypto.randomUUID();
  const organizationId = observed.mock.organizations.list()[0]?.id as string;
  const tokens = observed.options.tokens.map((each) => ({ ...each, organizationId }));
  const fetch = deviating(observed.mock, {
    response: ({ line, body }) => void (line === "POST /v1/events/ingest" && Object.assign(body, { inserted: "1" })),
  });
  const only = ["ING-*", "EVT-*", "G-ING-*", "G-EVT-*"];
  const report = await observe(observed, { fetch, customerId, tokens, only, versions: ["2025-01"] });
  const text = JSON.stringify(report);
  expect(text).toContain("<customer>");
  expect(text).toMatch(/… \(\d+ characters\)/);
  // A part of an id is data, too.
  for (const id of [customerId, organizationId]) expect(text).not.toContain(id.slice(0, 8));
});
