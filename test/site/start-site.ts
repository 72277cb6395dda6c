import type { BrowserContextOptions, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { type SiteServer, serveSite } from "../../site/serve.ts";
import type { OpenPage } from "../browser/chromium.ts";

/** Opens a page of the site by its path, to which `goto` is relative, too. */
export type OpenSite = (path: string, options?: BrowserContextOptions) => Promise<Page>;

/** Serves the site for the tests of a file. Fails a test whose page throws, or requests something from another host. */
export function startSite(openPage: OpenPage): OpenSite {
  let site: SiteServer;
  beforeAll(async () => {
    site = await serveSite(0);
  });
  afterAll(() => site?.[Symbol.asyncDispose]());
  return async (path, options = {}) => {
    const page = await openPage({ baseURL: site.url, viewport: { width: 1440, height: 900 }, ...options });
    const problems: string[] = [];
    const record = (request: Request) => {
      const isInside = /^(?:data|blob):/.test(request.url()) || request.url().startsWith(site.url);
      if (!isInside && request.failure()?.errorText !== "csp") problems.push(request.url());
    };
    page.context().on("requestfinished", record).on("requestfailed", record);
    page.on("pageerror", (error) => problems.push(String(error)));
    onTestFinished(() => expect(problems).toEqual([]));
    await page.goto(`/${path}`);
    return page;
  };
}
