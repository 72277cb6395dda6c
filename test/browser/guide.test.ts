import { expect, it } from "vitest";
import { blocksOf } from "../support/pages/blocks.ts";
import { describeInChromium } from "./chromium.ts";
import { siteOf } from "./site.ts";

const programs = blocksOf("docs/browser.md").filter(({ language }) => language === "ts");

describeInChromium("the guide to the browser, as it stands", (openPage) => {
  it.each([
    ["counts a call", ["1 call counted"]],
    ["continues to count after a reload", [1, 2, 3].map((times) => `viewed ${times} times`)],
  ])("%s", async (name, texts) => {
    await using site = await siteOf(programs[name === "counts a call" ? 0 : 1]?.code ?? "");
    const page = await openPage();
    await page.goto(site.url);
    for (const text of texts) {
      await expect.poll(() => page.innerText("body")).toBe(text);
      await page.reload();
    }
  });
});
