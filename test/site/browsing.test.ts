import { deflateSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { siteVersions } from "../../site/versions.ts";
import { describeInChromium } from "../browser/chromium.ts";
import { startSite } from "./start-site.ts";
import { violationsOf, violationsWithMenu } from "./violations-of.ts";

const [current, next, deprecated] = siteVersions().map(({ name }) => name) as [string, string, string];
/** One page of each kind. */
const kinds = ["index", "client/Webhooks", "client/WebhookEndpoint", "guides/client"];
const searches = [
  ["proxy", /guides\/\w+/],
  ["fastify", /^\S*guides\/receive-webhooks/],
  ["verify", /guides\/receive-webhooks|webhooks\/verifyWebhook/],
  ["migrate", /^\S*guides\/upgrading/],
  ["migration", /^\S*guides\/upgrading/],
  ["migrating", /^\S*guides\/upgrading/],
  ["422", /^\S*guides\/errors/],
  ["retry", /^\S*guides\/errors/],
  ["retries", /^\S*guides\/errors/],
  ["curl", /^\S*guides\/server/],
  ["openapi", /^\S*guides\/versions/],
  ["simulate failure", /^\S*guides\/testing/],
  ["authentication", /^\S*guides\/client/],
  ["base URL", /^\S*guides\/client/],
  ["third request", /guides\/testing/],
  ["100,000 events", /^\S*guides\/send-usage-events/],
  ["scopes", /guides\/client/],
  ["timeout", /guides\/errors/],
  ["createClient", /client\/createClient/],
  ["ingest", /client\/Events/],
] as const;

/** An index of the search with one page, which contains these words. */
function searchIndex(words: readonly string[]): string {
  const fieldVectors = [["name/0", words.flatMap((_, index) => [index, 1])]];
  const invertedIndex = words.map((word, _index) => [word, { _index, name: { 0: {} } }]);
  const index = { version: "2.3.9", fields: ["name"], fieldVectors, invertedIndex, pipeline: [] };
  const rows = [{ kind: 64, name: "numbers", url: "index.html", classes: "" }];
  return `window.searchData = "${deflateSync(JSON.stringify({ rows, index })).toString("base64")}";`;
}

describeInChromium("the documentation site", (openPage) => {
  const site = startSite(openPage);
  const { open } = site;

  /** Waits until a page is open. */
  const at = (page: Page, path: string) => expect.poll(() => new URL(page.url()).pathname).toBe(`/${path}`);

  /** Opens the search and types a query. */
  async function search(page: Page, text: string): Promise<void> {
    await page.keyboard.press("/");
    await page.locator("#tsd-search-input").fill(text);
  }

  /** Returns the paths of the search results, the best first. */
  const found = (page: Page): Promise<readonly string[]> =>
    page
      .locator("#tsd-search-results a")
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname));

  it("leads from its root to Current", async () => {
    await at(await open(""), `${current}/index.html`);
  });

  it("keeps the reader on the page when another version is selected", async () => {
    const page = await open(`${current}/client/ClientOptions.html`);
    await page.locator(".version-menu summary").click();
    await page.locator(".version-menu").getByRole("link", { name: deprecated }).click();
    await at(page, `${deprecated}/client/ClientOptions.html`);
    await page.locator(".version-banner a").click();
    await at(page, `${current}/client/ClientOptions.html`);
    expect(await page.locator(".version-banner").count()).toBe(0);
  });

  it("says when Deprecated stops working, and that Next may change", async () => {
    const page = await open(`${deprecated}/guides/client.html`);
    const [, , { dates }] = siteVersions() as [never, never, ReturnType<typeof siteVersions>[number]];
    expect(await page.innerText(".version-banner")).toContain(dates.removed.earliest);
    await page.goto(`${site.url}/${next}/index.html`);
    expect(await page.innerText(".version-banner")).toContain("may change at any time");
  });

  it("finds guides by their text, and symbols by their names, in the selected version", async () => {
    const page = await open(`${next}/client/Products.html`);
    await search(page, "");
    for (const [text, expected] of searches) {
      await page.locator("#tsd-search-input").fill(text);
      await expect.poll(async () => (await found(page)).slice(0, 5).join(" "), { message: text }).toMatch(expected);
      expect((await found(page)).filter((path) => !path.startsWith(`/${next}/`))).toEqual([]);
    }
  });

  it("finds numbers among many others", async () => {
    const page = await open(`${current}/index.html`);
    // From these, the search of TypeDoc derives 492104 and 492160 as well, and throws when it meets them.
    const words = new Set(Array.from({ length: 2_000 }, (_, index) => `${((index + 1) * 48_271 * (index + 3)) % 1e6}`));
    const body = searchIndex([...words].sort());
    await page.route(/\/assets\/search\.js/, (route) => route.fulfill({ contentType: "text/javascript", body }));
    await page.reload();
    await search(page, "492");
    await expect.poll(() => found(page)).toEqual([`/${current}/index.html`]);
  });

  it("can be used with the keyboard only", async () => {
    const page = await open(`${current}/client/Products.html`);
    await page.locator("header .title").focus();
    for (const key of ["Tab", "Enter", "Tab", "Tab", "Enter"]) await page.keyboard.press(key);
    await at(page, `${next}/client/Products.html`);
    await page.getByRole("tab", { name: "Client" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("tabpanel").innerText()).toContain("curl");
    await search(page, "createClient");
    await expect.poll(async () => (await found(page))[0]).toBe(`/${next}/client/createClient.html`);
    for (const key of ["ArrowDown", "Enter"]) await page.keyboard.press(key);
    await at(page, `${next}/client/createClient.html`);
  });

  it.each([
    ["light", kinds],
    ["dark", ["client/Webhooks", "guides/receive-webhooks"]],
  ] as const)("passes axe in %s mode", async (colorScheme, urls) => {
    const page = await open("index.html", { colorScheme });
    await at(page, `${current}/index.html`);
    await page.locator("#tsd-nav-container details").first().waitFor();
    expect(await violationsWithMenu(page)).toEqual([]);
    for (const url of urls) {
      await page.goto(`${site.url}/${deprecated}/${url}.html`);
      expect([url, await violationsOf(page)]).toEqual([url, []]);
    }
  });

  it("fits a phone", async () => {
    const page = await open(`${current}/index.html`, { viewport: { width: 360, height: 740 } });
    for (const url of [...kinds, "guides/rules"]) {
      await page.goto(`${site.url}/${deprecated}/${url}.html`);
      await page.locator(".col-content").waitFor();
      expect([url, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([url, 360]);
    }
  });
});
