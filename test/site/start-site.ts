import type { BrowserContextOptions, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { type SiteServer, serveSite } from "../../site/serve.ts";
import type { OpenPage } from "../browser/chromium.ts";

/** The documentation site in a browser. */
export interface StartedSite {
  readonly url: string;
  /** Opens a page of the site. Fails the test if the page throws, or requests something from another host. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
}

/** Serves the site for the tests of a file. */
export function startSite(openPage: OpenPage): StartedSite {
  let site: SiteServer;
  beforeAll(async () => {
    site = await serveSite(0);
  });
  afterAll(async () => {
    await site?.[Symbol.asyncDispose]();
  });
  const open = async (path: string, options: BrowserContextOptions = {}) => {
    const page = await openPage({ viewport: { width: 1440, height: 900 }, ...options });
    const context = page.context();
    const problems: string[] = [];
    const record = (request: Request) => {
      const isInside = /^(?:data|blob):/.test(request.url()) || request.url().startsWith(site.url);
      if (!isInside && request.failure()?.errorText !== "csp") problems.push(request.url());
    };
    context.on("requestfinished", record);
    context.on("requestfailed", record);
    page.on("pageerror", (error) => problems.push(String(error)));
    onTestFinished(() => expect(problems).toEqual([]));
    await page.goto(`${site.url}/${path}`);
    return page;
  };
  return {
    get url() {
      return site.url;
    },
    open,
  };
}
