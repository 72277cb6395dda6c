import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { siteVersions } from "../../site/versions.ts";
import { describeInChromium } from "../browser/chromium.ts";
import { violationsOf, WIDTHS } from "../browser/violations-of.ts";
import { startSite } from "./start-site.ts";

const [current, next, deprecated] = siteVersions().map(({ name }) => name) as [string, string, string];
/** One page of each kind. */
const kinds = [
  "",
  "guides/testing.html",
  `reference/${deprecated}/client/createClient.html`,
  `reference/${next}/event-types.html`,
  `reference/${current}/operations/events-ingest.html`,
  "missing.html",
];
/** Those with the widest tables, of which only the layout is checked. */
const widest = ["guides/rules.html", `reference/${current}/options.html`];

/** Returns the first words of each table that overflows. */
function cutOff(): string[] {
  const tables = [...document.querySelectorAll(".vp-doc table")];
  const rightOf = (each: Element | null) => each?.getBoundingClientRect().right ?? 0;
  const overflows = (each: Element) =>
    each.scrollWidth > each.clientWidth || rightOf(each) > rightOf(each.closest(".vp-doc"));
  return tables.filter(overflows).map((each) => each.textContent.slice(0, 40));
}

describeInChromium("the documentation site", (openPage) => {
  const open = startSite(openPage);

  /** Waits until a page is open. */
  const at = (page: Page, path: string) => expect.poll(() => new URL(page.url()).pathname).toBe(`/${path}`);

  it("leads from the home page to the quick start, and shows what the example prints", async () => {
    const page = await open("");
    await expect
      .poll(() => page.locator(".example pre").last().innerText())
      .toContain("{ inserted: 1, duplicates: 1 }");
    await expect.poll(() => page.locator(".cards li").count()).toBe(4);
    await page.getByRole("link", { name: "Quick start" }).click();
    await at(page, "guides/quick-start.html");
    await page.getByRole("link", { name: /Next.*Calling the API/ }).click();
    await at(page, "guides/client.html");
  });

  it("keeps the reader on the page when another version is selected", async () => {
    const page = await open(`reference/${current}/client/createClient.html`);
    const versions = page.getByRole("navigation", { name: "API version" });
    await versions.getByRole("link", { name: deprecated }).click();
    await at(page, `reference/${deprecated}/client/createClient.html`);
    const [, , { dates }] = siteVersions() as [never, never, ReturnType<typeof siteVersions>[number]];
    const notice = page.getByRole("complementary", { name: "About this version" });
    await expect.poll(() => notice.innerText()).toContain(dates.removed.earliest);
    await versions.getByRole("link", { name: next }).click();
    await at(page, `reference/${next}/client/createClient.html`);
    await expect.poll(() => notice.innerText()).toContain("may change at any time");
    await notice.getByRole("link").click();
    await at(page, `reference/${current}/client/createClient.html`);
    await expect.poll(() => notice.count()).toBe(0);
  });

  it("keeps the reader's version on pages that all versions share", async () => {
    const page = await open(`reference/${next}/`);
    await page.locator("main").getByRole("link", { name: "@billing-service/sdk/mock", exact: true }).click();
    await at(page, "reference/mock/");
    const chosen = page.getByRole("navigation", { name: "API version" }).locator("[aria-current]");
    await expect.poll(() => chosen.innerText()).toContain(next);
    await page.locator(".VPSidebar").getByRole("link", { name: "webhooks", exact: true }).click();
    await at(page, `reference/${next}/webhooks/`);
  });

  it("opens the search on a page that does not exist", async () => {
    const page = await open("guides/webhook-retries.html");
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await page.locator(".not-found").getByRole("button", { name: "Search" }).click();
    await page.locator("#localsearch-input").waitFor();
  });

  it("marks the row of the rule that a link leads to, below the header of a narrow page", async () => {
    const page = await open("guides/receive-webhooks.html", { viewport: { width: 390, height: 844 } });
    await page.locator("main a[href*='rules.html#G-']").first().click();
    await at(page, "guides/rules.html");
    const top = async () => (await page.locator("td:target").boundingBox())?.y;
    await expect.poll(top).toSatisfy((y) => y > 100 && y < 700);
  });

  it("copies a page as Markdown", async () => {
    const page = await open("guides/client.html", { permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("button", { name: "Copy page" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("# Calling the API");
  });

  it.each(WIDTHS)("passes axe in light and dark mode, %i pixels wide, and fits its window", async (width) => {
    const page = await open("", { viewport: { width, height: 900 } });
    for (const path of [...kinds, ...widest]) {
      await page.goto(`/${path}`);
      // The scripts of the page have run when they have named the switch between light and dark.
      await page.locator('.VPSwitchAppearance:not([title=""])').first().waitFor({ state: "attached" });
      expect([path, await page.evaluate(cutOff)]).toEqual([path, []]);
      if (kinds.includes(path)) expect([path, await violationsOf(page)]).toEqual([path, []]);
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, width]);
    }
  });
});
