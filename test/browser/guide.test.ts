import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blocksOf } from "../support/pages/blocks.ts";
import { describeInChromium, launchChromium } from "./chromium.ts";
import { bundleForBrowser, type Site, serve, workerScript } from "./site.ts";

const programs = blocksOf("docs/browser.md").filter(({ language }) => language === "ts");

/** A page that runs a program of the guide unchanged. */
async function siteOf(program: string): Promise<Site> {
  const script = await bundleForBrowser({ stdin: { contents: program, loader: "ts", resolveDir: "." } });
  return serve({
    "/": ["text/html", '<!doctype html><title>Guide</title><script type="module" src="/app.js"></script>'],
    "/app.js": ["text/javascript", script],
    "/mockServiceWorker.js": ["text/javascript", workerScript("msw")],
  });
}

describeInChromium("the guide to the browser, as it stands", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it("counts a call", async () => {
    await using site = await siteOf(programs[0]?.code ?? "");
    const page = await browser.newPage();
    await page.goto(site.url);
    await expect.poll(() => page.innerText("body")).toBe("1 call counted");
    await page.close();
  });

  it("continues to count after a reload", async () => {
    await using site = await siteOf(programs[1]?.code ?? "");
    const page = await browser.newPage();
    await page.goto(site.url);
    for (const times of [1, 2, 3]) {
      await expect.poll(() => page.innerText("body")).toBe(`viewed ${times} times`);
      await page.reload();
    }
    await page.close();
  });
});
