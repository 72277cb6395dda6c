import { globSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
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
  ["test clock", /failures-and-time\S*#fake-time/],
  ["fail next request", /failures-and-time\S*#make-the-next-request-fail/],
  ["redact token", /production\S*#redacted-tokens/],
  ["timing attack", /receive-webhooks\S*#replay-and-timing/],
  ["what changed", /versions\S*#what-changed/],
];

/** Searches as the site does in a browser: in the same index, with the same library, fields and options. */
async function siteSearch(): Promise<(query: string) => readonly { id: string; title: string }[]> {
  const MiniSearch = createRequire(join(ROOT, "site/.vitepress/"))("minisearch");
  const [chunk = ""] = globSync("assets/chunks/*localSearchIndexroot*.js", { cwd: OUTPUT });
  const { default: index } = await import(/* @vite-ignore */ pathToFileURL(join(OUTPUT, chunk)).href);
  const fields = ["title", "titles", "text"];
  const search = MiniSearch.loadJSON(index, { fields, storeFields: ["title", "titles"], searchOptions });
  return (query) => search.search(query);
}

it("finds the page that answers a question first", async () => {
  const search = await siteSearch();
  const found = QUESTIONS.map(([query]) => [query, search(query)[0]?.id]);
  expect(search("playground")).toEqual([]);
  expect(found).toEqual(QUESTIONS.map(([query, section]) => [query, expect.stringMatching(section)]));
});

it("finds only pages of Current, and names the entry point of each export with the same name", async () => {
  const search = await siteSearch();
  const versions = search("ApiError").flatMap(({ id }) => /reference\/(20\d\d-\d\d)/.exec(id)?.[1] ?? []);
  expect(new Set(versions)).toEqual(new Set([currentVersion().name]));
  const titles = search("createMock").map(({ title }) => title);
  expect(titles.slice(0, 5)).toEqual(expect.arrayContaining(["createMock() · mock", "createMock() · mock/node"]));
});

describeInChromium("the search", (openPage) => {
  const open = startSite(openPage);

  it.each(WIDTHS)("passes axe in light and dark mode with results, %i pixels wide", async (width) => {
    const page = await open("", { viewport: { width, height: 900 } });
    const input = page.locator("#localsearch-input");
    // The page listens to the keyboard only once its script has run.
    const isOpen = async () => {
      await page.keyboard.press("Control+k");
      return input.isVisible();
    };
    await expect.poll(isOpen).toBe(true);
    await input.fill("duplicate events");
    await page.locator("#localsearch-list a[href*='send-usage-events']").first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});
