import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "#current";
import { type DrivenBrowser, describeInBrowsers } from "../browser/browsers.ts";
import { siteOf } from "../browser/site.ts";
import { blocksOf } from "../support/pages/blocks.ts";
import { started } from "../support/started-server.ts";
import { CURRENT } from "../support/versions.ts";

const [calling] = blocksOf("docs/testing.md").filter(({ code }) => code.includes("/mock/browser"));

const verifying = `
  import { signWebhook, verifyWebhook } from "@billing-service/sdk/${CURRENT}/webhooks";
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const delivery = await signWebhook({ type: "order.paid", data: { id: "ord_1" } }, { secret });
  const { type } = await verifyWebhook(delivery, { secret });
  const changed = { ...delivery, body: delivery.body.replace("ord_1", "ord_2") };
  const rejected = await verifyWebhook(changed, { secret }).catch(({ reason }) => reason);
  document.body.textContent = type + ", then " + rejected;
`;

/** Checks that run in every browser. */
const CHECKS: Readonly<Record<string, (browser: DrivenBrowser) => Promise<void>>> = {
  "the guide's program calls the mock through its service worker": async (browser) => {
    await using site = await siteOf(calling?.code ?? "");
    await browser.open(site.url);
    await shows(browser, "body", /^1 call counted$/);
  },
  "verifyWebhook accepts a signed delivery and rejects a changed one": async (browser) => {
    await using site = await siteOf(verifying);
    await browser.open(site.url);
    await shows(browser, "body", /^order\.paid, then signature-mismatch$/);
  },
  "the inspector shows a request as it arrives, with its response, and issues a token": async (browser) => {
    const server = await started();
    await browser.open(`${server.url}/__mock/`);
    await shows(browser, "#app", /No requests yet/);
    const billing = createClient({ accessToken: server.mock.issueToken(), baseUrl: server.url });
    await billing.events.ingest([{ name: "api.call", external_customer_id: "acme" }]);
    await shows(browser, ".rows", /POST\s+\/v1\/events\/ingest/);
    await click(browser, ".rows a");
    await shows(browser, ".detail", /"inserted": 1/);
    await browser.open(`${server.url}/__mock/#control/${encodeURIComponent("POST /__mock/tokens")}`);
    await shows(browser, ".detail", /Issues an access token/);
    await click(browser, ".detail [type=submit]");
    await shows(browser, ".detail", /"token": "billing_oat_\w+"/);
  },
};

/** Waits until an element shows a text. */
async function shows(browser: DrivenBrowser, selector: string, text: RegExp): Promise<void> {
  const script = `return document.querySelector(${JSON.stringify(selector)})?.innerText.trim() ?? "";`;
  await expect.poll(() => browser.run(script)).toMatch(text);
}

/** Clicks the first element. */
async function click(browser: DrivenBrowser, selector: string): Promise<void> {
  const script = `document.querySelector(${JSON.stringify(selector)}).click(); return "clicked";`;
  expect(await browser.run(script)).toBe("clicked");
}

describeInBrowsers((start) => {
  let browser: DrivenBrowser;
  beforeAll(async () => {
    browser = await start();
  });
  afterAll(() => browser?.[Symbol.asyncDispose]());
  it.each(Object.entries(CHECKS))("%s", (_, check) => check(browser));
});
