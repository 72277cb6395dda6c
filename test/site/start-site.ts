import type { BrowserContextOptions, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { type SiteServer, serveSite } from "../../site/serve.ts";
import type { OpenPage } from "../browser/chromium.ts";

/** The documentation site in a browser. */
export interface StartedSite {
  readonly url: string;
  /** Opens a page of the site. Fails the test if the page throws, or requests something from another host. */
  open(path: string, options?: PageOptions): Promise<Page>;
}

/** How a page is opened. */
export interface PageOptions extends BrowserContextOptions {
  /** Leaves out the menu and the search, which have thousands of elements. */
  readonly withoutMenu?: boolean;
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
  const open = async (path: string, { withoutMenu = false, ...options }: PageOptions = {}) => {
    const page = await openPage({ viewport: { width: 1280, height: 800 }, ...options });
    const context = page.context();
    if (withoutMenu) await context.route(/\/assets\/(?:navigation|search)\.js/, (route) => route.fulfill({ body: "" }));
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
