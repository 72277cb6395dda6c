import { expect, it } from "vitest";
import { currentVersion, siteVersions } from "../../site/versions.ts";
import { pageUrls, readSite } from "./built-site.ts";

const current = currentVersion().name;
const names = siteVersions().map(({ name }) => name);
const others = names.filter((name) => name !== current);

/** Returns the paragraphs, list items, cells and code blocks of the start page and the guides of a version, without tags. */
function blocksOf(version: string): readonly string[] {
  const pages = new RegExp(`^${version}/(?:index|guides/.*)\\.html$`);
  return pageUrls()
    .filter((url) => pages.test(url))
    .flatMap((url) => [...contentOf(url).matchAll(/<(p|li|td|pre)\b.*?<\/\1>/gs)].map(([block]) => `${url}: ${block}`))
    .map((block) => block.replace(/<[^>]+>/g, "").replace(/\s+/g, " "));
}

function contentOf(url: string): string {
  const html = readSite(url);
  return html.slice(html.indexOf('class="col-content"'), html.indexOf('class="col-sidebar"'));
}

/** Returns the versions that a block names, without dates, addresses of pages, and `Current (2025-01)`. */
function versionsIn(block: string): readonly string[] {
  const text = block.slice(block.indexOf(": ")).replaceAll(`Current (${current})`, "");
  return names.filter((name) => new RegExp(String.raw`\b${name}\b(?!-?\d)`).test(text));
}

const imports = (block: string, version: string) => block.includes(`@billing-service/sdk/${version}`);

it.each(others)("a paragraph on the site of %s that names its import path does not name Current as well", (version) => {
  const blocks = blocksOf(version).filter((block) => imports(block, version) && !imports(block, current));
  expect(blocks.length).toBeGreaterThan(40);
  const mixed = blocks.filter((block) => versionsIn(block).includes(current));
  // A paragraph about all three versions compares them.
  expect(mixed.filter((block) => versionsIn(block).length < names.length)).toEqual([]);
});

it.each(others)("the programs in guides on the site of %s import it, unless they compare versions", (version) => {
  const blocks = blocksOf(version).filter((block) => imports(block, current));
  expect(blocks.filter((block) => versionsIn(block).length === 1)).toEqual([]);
});
