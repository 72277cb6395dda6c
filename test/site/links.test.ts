import { existsSync } from "node:fs";
import { posix } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { allGuides } from "../../site/guides.ts";
import { OUTPUT } from "../../site/paths.ts";
import { siteVersions } from "../../site/versions.ts";
import { pageUrls, readSite } from "./built-site.ts";

interface Page {
  readonly ids: ReadonlySet<string>;
  /** The values of `href` and `src`. */
  readonly targets: readonly string[];
  /** What the browser loads by itself. */
  readonly loaded: readonly string[];
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
    loaded: attributes(/<(?:script|img|link|iframe|source|use)\b[^>]*?\s(?:href|src)="([^"]*)"/g),
  };
}

function withoutEntities(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

const isExternal = (target: string) => /^(?:[a-z]+:|\/\/)/.test(target);

/** Returns why a link leads nowhere; undefined if it works. */
function problemOf(from: string, target: string): string | undefined {
  const [path = "", hash = ""] = target.split("#");
  const url = path === "" ? from : posix.join(posix.dirname(from), decodeURI(path));
  if (!existsSync(`${OUTPUT}/${url}`)) return `${from}: ${target} does not exist`;
  if (url.endsWith("/playground.html")) return undefined;
  const isMissing = hash !== "" && url.endsWith(".html") && !pages.get(url)?.ids.has(decodeURIComponent(hash));
  return isMissing ? `${from}: ${target} does not have that anchor` : undefined;
}

it("has a complete part for each version", () => {
  for (const { name } of siteVersions()) {
    const urls = [...pages.keys()].filter((url) => url.startsWith(`${name}/`));
    expect(urls.length).toBeGreaterThan(250);
    expect(urls).toContain(`${name}/client/ClientOptions.html`);
    expect(urls).toContain(`${name}/mock/createMock.html`);
  }
});

it("has no broken link and no link to a missing anchor", () => {
  const problems = [...pages].flatMap(([from, { targets }]) =>
    targets.filter((target) => !isExternal(target)).flatMap((target) => problemOf(from, target) ?? []),
  );
  expect(problems.slice(0, 20)).toEqual([]);
});

it("loads nothing from other hosts", () => {
  const external = [...pages].flatMap(([from, { loaded }]) =>
    loaded.filter(isExternal).map((url) => `${from}: ${url}`),
  );
  expect(external.filter((line) => !line.includes("data:"))).toEqual([]);
});

it("leads from the root to Current", () => {
  const current = siteVersions()[0];
  expect(current?.state).toBe("Current");
  expect(pages.get("index.html")?.targets).toEqual([`${current?.name}/index.html`]);
});

it.each([
  ["client/createClient", "client"],
  ["client/ClientOptions", "client"],
  ["client/ApiError", "errors"],
  ["client/isApiError", "errors"],
  ["mock/createMock", "testing"],
  ["webhooks/verifyWebhook", "receive-webhooks"],
  ["webhooks/createWebhookHandler", "receive-webhooks"],
  ["usage/createEventBuffer", "send-usage-events"],
  ["usage/ingestAll", "send-usage-events"],
  ["undici/undiciTransport-1", "proxies"],
])("the reference page %s leads first to the guide %s", (url, guide) => {
  const facts = /<p class="page-facts">.*?<\/p>/s.exec(readSite(`${siteVersions()[0]?.name}/${url}.html`))?.[0] ?? "";
  expect(facts.match(/href="\.\.\/guides\/([\w-]+)\.html"/)?.[1]).toBe(guide);
});

it("lists every guide and OpenAPI document in llms.txt", () => {
  const links = [...readSite("llms.txt").matchAll(/\]\(([^)]+)\)/g)].map(([, url]) => url ?? "");
  expect(links.filter((url) => url.endsWith(".html")).length).toBe(allGuides().length);
  expect(links.filter((url) => url.endsWith("openapi.json")).length).toBe(siteVersions().length);
  expect(links.filter((url) => !existsSync(`${OUTPUT}/${url}`))).toEqual([]);
  const full = readSite("llms-full.txt");
  expect(full).toContain("billing.events.ingest");
  expect(full).toContain("# For coding agents");
  for (const { name } of siteVersions()) expect(full).toContain(`(${name}/openapi.json)`);
});
