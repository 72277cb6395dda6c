import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { CURRENT } from "../support/versions.ts";
import type { App } from "./app.ts";
import { describeInChromium } from "./chromium.ts";
import { bundleForBrowser, type MswPackage, type Site, serve, workerScript } from "./site.ts";

declare global {
  interface Window {
    readonly app: App;
  }
}

const html =
  '<!doctype html><link rel="icon" href="data:," /><body></body><script type="module" src="/app.js"></script>';
const url = "https://acme.example/webhooks";
const versions: readonly MswPackage[] = ["msw", "msw-2"];

for (const msw of versions) {
  describeInChromium(`a page in Chromium, with ${msw === "msw" ? "MSW 3" : "MSW 2"}`, (openPage) => {
    let page: Page;
    let site: Site;
    let elsewhere: Site;
    let spoken: string[];

    beforeAll(async () => {
      const app = await bundleForBrowser({ entryPoints: ["test/browser/app.ts"] }, msw);
      site = await serve({
        "/": ["text/html", html],
        "/app.js": ["text/javascript", app],
        "/mockServiceWorker.js": ["text/javascript", workerScript(msw)],
        "/workers/mock.js": ["text/javascript", workerScript(msw)],
        "/own.json": ["application/json", '{ "from": "the page\'s own server" }'],
      });
      elsewhere = await serve({ "/data.json": ["application/json", '{ "from": "elsewhere" }'] });
    });
    afterAll(async () => {
      await site?.[Symbol.asyncDispose]();
      await elsewhere?.[Symbol.asyncDispose]();
    });
    beforeEach(async () => {
      page = await openPage();
      spoken = [];
      page.on("console", (message) => spoken.push(message.text()));
      page.on("pageerror", (error) => spoken.push(String(error)));
    });

    const open = async (path: string) => {
      await page.goto(site.url + path);
      await page.waitForSelector("body[data-ready]", { state: "attached" });
    };
    const create = (url: string) =>
      page.evaluate((url) => {
        const endpoint = { url, format: "raw", events: ["order.paid"] } as const;
        return window.app.billing.webhooks.createEndpoint(endpoint).catch(String);
      }, url);
    const count = () =>
      page.evaluate(() => {
        const call = { name: "api.call", external_customer_id: "acme", external_id: "call-1" };
        return window.app.billing.events.ingest([call]).catch(String);
      });
    const [fresh, known] = [
      { inserted: 1, duplicates: 0 },
      { inserted: 0, duplicates: 1 },
    ];

    it("gets responses and errors of the mock through its client", async () => {
      await open("/");
      expect(await create(url)).toMatchObject({ url, api_version: CURRENT });
      expect([await count(), await count()]).toEqual([fresh, known]);
      expect(spoken).toEqual([]);
      expect(await create("no address")).toMatch(/ApiError.*422/);
      await page.evaluate(() => window.app.mock.fault({ kind: "reset", times: 1 }));
      expect(await count()).toMatch(/NetworkError/);
    });

    it("still reaches other hosts and its own server", async () => {
      await open("/");
      const from = (url: string) => page.evaluate(async (url) => (await (await fetch(url)).json()).from, url);
      expect(await from("/own.json")).toBe("the page's own server");
      expect(await from(`${elsewhere.url}/data.json`)).toBe("elsewhere");
      expect(elsewhere.requested).toContain("/data.json");
      expect(await page.evaluate(() => window.app.mock.requests.count)).toBe(0);
      expect(spoken).toEqual([]);
    });

    it("uses the network after stop, and the mock after the next start", async () => {
      await open("/");
      await page.evaluate(() => void window.app.mock.fault({ delay: 20_000, times: 1 }));
      const held = page.evaluate(() => window.app.billing.products.list().catch(String));
      await expect.poll(() => page.evaluate(() => window.app.mock.faults.list().length)).toBe(0);
      await page.evaluate(() => window.app.mock.stop());
      expect(await held).toMatch(/NetworkError/);
      expect(await count()).toMatch(/NetworkError/);
      await page.evaluate(() => window.app.mock.start());
      expect(await count()).toEqual(fresh);
    });

    it("can use another path for the worker script, and throws an error if it is missing", async () => {
      await open("/?worker=/workers/mock.js");
      expect(site.requested).toContain("/workers/mock.js");
      await page.evaluate(() => window.app.mock.stop());
      // Some servers respond with their page instead of a 404.
      for (const url of ["/missing.js", "/"]) {
        const failure = await page.evaluate(
          (serviceWorkerUrl) => window.app.mock.start({ serviceWorkerUrl }).catch(String),
          url,
        );
        expect(failure).toContain(`mock.start: the browser cannot load MSW's worker script ${url}. Run "npx msw init`);
      }
    });
  });
}
