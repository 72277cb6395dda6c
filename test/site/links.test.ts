import { existsSync } from "node:fs";
import { posix } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { allGuides, guideUrl } from "../../site/guides/guide-list.ts";
import { OUTPUT } from "../../site/paths.ts";
import { currentVersion, siteVersions } from "../../site/versions.ts";
import { pageUrls, readSite } from "./built-site.ts";

interface Page {
  readonly ids: ReadonlySet<string>;
  /** The values of `href` and `src`. */
  readonly targets: readonly string[];
}

let pages: ReadonlyMap<string, Page>;

beforeAll(() => {
  pages = new Map(pageUrls().map((url) => [url, parse(readSite(url))]));
});

function parse(html: string): Page {
  const attributes = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, value]) => withoutEntities(value ?? ""));
  return {
    ids: new Set(attributes(/\sid="([^"]*)"/g)),
    targets: attributes(/\s(?:href|src)="([^"]*)"/g),
  };
}

function withoutEntities(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

const isExternal = (target: string) => /^(?:[a-z]+:|\/\/)/.test(target);

/** Returns why a link leads nowhere on a server that knows only files; undefined if it works. */
function problemOf(from: string, target: string): string | undefined {
  const [path = "", hash = ""] = target.split("#");
  const resolved = path === "" ? from : posix.resolve(`/${posix.dirname(from)}`, decodeURI(path)).slice(1);
  const url = path.endsWith("/") || resolved === "" ? posix.join(resolved, "index.html") : resolved;
  if (!existsSync(`${OUTPUT}/${url}`)) return `${from}: ${target} does not exist`;
  const isMissing = hash !== "" && url.endsWith(".html") && !pages.get(url)?.ids.has(decodeURIComponent(hash));
  return isMissing ? `${from}: ${target} does not have that anchor` : undefined;
}

it("has the guides and the shared entry points once, and a reference for each version", () => {
  for (const { file } of allGuides())
    expect([...pages.keys()]).toContain(`${guideUrl(file).slice(1).replace(/\/$/, "/index")}.html`);
  for (const { name } of siteVersions()) {
    const urls = [...pages.keys()].filter((url) => url.startsWith(`reference/${name}/`));
    for (const page of ["index", "client/createClient", "webhooks/index", "event-types", "scopes"]) {
      expect(urls).toContain(`reference/${name}/${page}.html`);
    }
    expect(existsSync(`${OUTPUT}/reference/${name}/openapi.json`)).toBe(true);
  }
});

it("keeps the version: no page of the reference links to another one, except the notice of its own", () => {
  const main = (url: string) => /<h1[\s\S]*<\/main>/.exec(readSite(url))?.[0] ?? "";
  const leaving = [...pages.keys()].filter((url) => {
    const [, version] = /^reference\/(20\d\d-\d\d)\//.exec(url) ?? [];
    return version && new RegExp(`href="/reference/(?!${version})20\\d\\d-\\d\\d`).test(main(url));
  });
  expect(leaving).toEqual([]);
});

it("has no broken link and no link to a missing anchor", () => {
  const problems = [...pages].flatMap(([from, { targets }]) =>
    targets.filter((target) => !isExternal(target)).flatMap((target) => problemOf(from, target) ?? []),
  );
  expect(problems.slice(0, 20)).toEqual([]);
});

it("links the members of the mock in guides to their reference", () => {
  expect(readSite("guides/testing.html")).toMatch(/reference\/mock\/Mock\.html#\w+"><code[^>]*>mock\./);
});

it("shows no HTML entity as text", () => {
  const shown = pageUrls().filter((url) =>
    /&amp;[A-Za-z]+;/.test(readSite(url).replaceAll(/<(pre|code|script)\b.*?<\/\1>/gs, "")),
  );
  expect(shown).toEqual([]);
});

it("describes every page, and describes it to sites that link to it", () => {
  const descriptions = pageUrls().map((url) => /<meta name="description" content="([^"]+)">/.exec(readSite(url))?.[1]);
  expect(descriptions.filter((text) => text === undefined)).toEqual([]);
  expect(readSite("guides/testing.html")).toContain('<meta property="og:title" content="Testing with the mock">');
});

it("states the source and the last change of a page", () => {
  expect(readSite("reference/mock/createMock.html")).toMatch(/Source: <code[^>]*>mock\/index\.ts:\d+<\/code>/);
  expect(readSite("guides/testing.html")).toMatch(/Last change: .*<time/s);
});

it("leads from the reference of an export to the guide about it", () => {
  const html = readSite(`reference/${currentVersion().name}/webhooks/verifyWebhook.html`);
  const facts = /<div class="facts">.*?<\/div>/s.exec(html)?.[0] ?? "";
  expect(facts).toContain('href="/guides/receive-webhooks.html"');
});

it("lists every guide once in llms.txt, as Markdown, and contains them in llms-full.txt", () => {
  const links = [...readSite("llms.txt").matchAll(/\]\(\/([^)]+)\)/g)].map(([, url]) => url ?? "");
  expect(links).toEqual(
    expect.arrayContaining(allGuides().map(({ file }) => `${guideUrl(file).slice(1).replace(/\/$/, "")}.md`)),
  );
  expect(links.length).toBe(new Set(links).size);
  expect(links.filter((url) => !url.endsWith(".md") || !existsSync(`${OUTPUT}/${url}`))).toEqual([]);
  expect(readSite("llms-full.txt")).toContain("# Coming from another SDK");
  expect(readSite("index.md")).toContain("# Billing Service SDK");
  expect(readSite("reference/mock.md")).toContain("](/reference/mock/createMock.md)");
});
