import { globSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContextOptions } from "playwright-core";
import { expect, it } from "vitest";
import { OUTPUT, ROOT } from "../../site/paths.ts";
import { searchOptions } from "../../site/search/search-options.ts";
import { currentVersion } from "../../site/versions.ts";
import { describeInChromium } from "../browser/chromium.ts";
import { violationsOf, WIDTHS } from "../browser/violations-of.ts";
import { startSite } from "./start-site.ts";

/** What readers search for, and the first result. */
const QUESTIONS: readonly (readonly [query: string, section: RegExp])[] = [
  ["getEndpoint", /operations\/webhooks-getEndpoint/],
  ["create webhook endpoint", /operations\/webhooks-createEndpoint/],
  ["maxRetries", /options\S*#createClient-maxRetries/],
  ["event types", /event-types\S*#webhook-event-types/],
  ["cli", /command-line\S*#command-line-cli/],
  ["test clock", /mock-data\S*#fake-time/],
  ["fail next request", /mock-data\S*#make-the-next-request-fail/],
  ["redact token", /production\S*#redacted-tokens/],
  ["timing attack", /receive-webhooks\S*#replay-and-timing/],
  ["what changed", /versions\S*#what-changed/],
];

/** Searches as the site does in a browser: in the same index, with the same library, fields and options. */
async function siteSearch(): Promise<(query: string) => string[]> {
  const MiniSearch = createRequire(join(ROOT, "site/.vitepress/"))("minisearch");
  const [chunk = ""] = globSync("assets/chunks/*localSearchIndexroot*.js", { cwd: OUTPUT });
  const { default: index } = await import(/* @vite-ignore */ pathToFileURL(join(OUTPUT, chunk)).href);
  const fields = ["title", "titles", "text"];
  const search = MiniSearch.loadJSON(index, { fields, storeFields: ["title", "titles"], searchOptions });
  return (query) => search.search(query).map(({ id }: { id: string }) => id);
}

it("finds the page that answers a question first", async () => {
  const search = await siteSearch();
  const found = QUESTIONS.map(([query]) => [query, search(query)[0]]);
  expect(search("playground")).toEqual([]);
  expect(found).toEqual(QUESTIONS.map(([query, section]) => [query, expect.stringMatching(section)]));
});

describeInChromium("the search", (openPage) => {
  const { open } = startSite(openPage);

  /** Opens the search, and returns a function that types a query and waits until the first results fit. */
  const openSearch = async (options: BrowserContextOptions = {}) => {
    const page = await open("", options);
    const input = page.locator("#localsearch-input");
    // The page listens to the keyboard only once its script has run.
    const isOpen = async () => {
      await page.keyboard.press("Control+k");
      return input.isVisible();
    };
    await expect.poll(isOpen).toBe(true);
    const addresses = () =>
      page
        .locator("#localsearch-list a.result")
        .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    const expectAmongFirst = async (query: string, count: number, section: RegExp) => {
      await input.fill(query);
      const matches = async () => (await addresses()).slice(0, count).some((address) => section.test(address));
      await expect.poll(matches, { message: `${query} finds ${section}` }).toBe(true);
    };
    return { page, addresses, expectAmongFirst };
  };

  it("opens without loading a script, so that it keeps the first keys", async () => {
    const page = await open("");
    await page.waitForLoadState("networkidle");
    await page.route("**/*.js", () => {});
    await page.keyboard.press("/");
    await page.locator("#localsearch-input:focus").waitFor();
    await page.keyboard.type("external_id");
    await expect.poll(() => page.locator("#localsearch-input").inputValue()).toBe("external_id");
  });

  it("names the entry point of each export with the same name", async () => {
    const { page, expectAmongFirst } = await openSearch();
    await expectAmongFirst("createMock", 2, /mock\/createMock/);
    const titles = (await page.locator("#localsearch-list .titles").allInnerTexts()).slice(0, 5);
    expect(titles).toEqual(expect.arrayContaining(["createMock() · mock", "createMock() · mock/node"]));
  });

  it.each(WIDTHS)("passes axe in light and dark mode, %i pixels wide", async (width) => {
    const { page, expectAmongFirst } = await openSearch({ viewport: { width, height: 900 } });
    await expectAmongFirst("duplicate events", 3, /send-usage-events/);
    expect(await violationsOf(page)).toEqual([]);
  });

  it("leads to the row of a rule on a narrow screen, below the page's header", async () => {
    const { page, expectAmongFirst } = await openSearch({ viewport: { width: 390, height: 844 } });
    await expectAmongFirst("G-RATE", 3, /rules\S*#G-RATE/);
    await page.locator("#localsearch-list a[href$='#G-RATE']").click();
    const box = async () => (await page.locator("td#G-RATE").boundingBox())?.y;
    await expect.poll(box).toSatisfy((y) => y > 100 && y < 700);
  });

  it("finds only pages of Current, selects the first result, and opens the selected one with Enter", async () => {
    const { page, addresses, expectAmongFirst } = await openSearch();
    await expectAmongFirst("ApiError", 3, /errors\S*#apierror/);
    const found = await addresses();
    const versions = found.flatMap((address) => /reference\/(20\d\d-\d\d)/.exec(address)?.[1] ?? []);
    expect(new Set(versions)).toEqual(new Set([currentVersion().name]));
    const selected = page.locator("#localsearch-list .selected");
    const address = () => selected.evaluate((link) => (link as HTMLAnchorElement).href);
    await expect.poll(address).toBe(found[0]);
    await page.keyboard.press("ArrowDown");
    await expect.poll(address).toBe(found[1]);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toBe(found[1]);
  });
});
