import { expect, it } from "vitest";
import { started } from "../support/started-server.ts";
import { describeInChromium } from "./chromium.ts";
import { siteOf } from "./site.ts";

/** A program that ingests an event at a server of another origin, and shows the response. */
const program = (baseUrl: string, accessToken: string) => `
  import { createClient } from "@billing-service/sdk/2025-01";
  const billing = createClient({ accessToken: "${accessToken}", baseUrl: "${baseUrl}" });
  const ingested = await billing.events.ingest([{ name: "call", external_customer_id: "c1" }]).withResponse().catch(String);
  document.body.textContent = ingested.version ? ingested.version + " " + ingested.data.inserted : ingested;
  const control = await fetch("${baseUrl}/__mock/versions").then(() => "open", () => "closed");
  document.title = control;
`;

describeInChromium("a page of another origin", (openPage) => {
  it.each([
    ["*", /^2025-01 1$/],
    [[], /^NetworkError/],
  ] as const)(
    "G-CORS: a page can call the server from allowed origins (%j), but never its control API",
    async (cors, text) => {
      const server = await started({ assumptions: { cors } });
      await using site = await siteOf(program(server.url, server.mock.issueToken()));
      const page = await openPage();
      await page.goto(site.url);
      await expect.poll(() => page.innerText("body")).toMatch(text);
      await expect.poll(() => page.title()).toBe("closed");
    },
  );
});
