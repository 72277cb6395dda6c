import { expect, it } from "vitest";
import { blocksOf } from "../support/pages/blocks.ts";
import { describeInChromium } from "./chromium.ts";
import { siteOf } from "./site.ts";

const [, program] = blocksOf("docs/browser.md").filter(({ language }) => language === "ts");

// test/site/browsers.test.ts runs the guide's first program.
describeInChromium("the guide to the browser", (openPage) => {
  it("has a program that continues to count after a reload", async () => {
    await using site = await siteOf(program?.code ?? "");
    const page = await openPage();
    await page.goto(site.url);
    for (const times of [1, 2, 3]) {
      await expect.poll(() => page.innerText("body")).toBe(`viewed ${times} times`);
      await page.reload();
    }
  });
});
