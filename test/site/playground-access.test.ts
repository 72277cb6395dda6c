import { expect, it } from "vitest";
import { describeInChromium } from "../browser/chromium.ts";
import { violationsOf, WIDTHS } from "../browser/violations-of.ts";
import { click, editor, run, shows, startPlayground } from "./playground-page.ts";
import { BROKEN_BY_VITEPRESS } from "./start-site.ts";

describeInChromium("the playground for everyone", (openPage) => {
  const { openPlayground } = startPlayground(openPage);

  it("can be used with the keyboard only", async () => {
    const page = await openPlayground({ panel: "code" });
    await editor(page, "Program").focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type('console.log("typed");');
    await page.keyboard.press("ControlOrMeta+Enter");
    await shows(page, /^Console\s+typed/);
    await page.keyboard.press("Tab");
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Console");
    await page.getByRole("tab", { name: "Code" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Webhook");
    await page.keyboard.press("ControlOrMeta+Enter");
    await shows(page, "Verified.");
  });

  it.each(WIDTHS)("passes axe in light and dark mode, %i pixels wide, and fits its window", async (width) => {
    const page = await openPlayground({}, { viewport: { width, height: 900 } });
    const check = async (state: string, within = ".pg") => {
      expect([state, await violationsOf(page, BROKEN_BY_VITEPRESS, within)]).toEqual([state, []]);
      expect([state, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([state, width]);
    };
    await check("empty", "html");
    await click(page, "422");
    await shows(page, "422");
    await check("response");
    await click(page, "Simulate the next release");
    await page.locator("#pg-release").getByRole("table").waitFor();
    await check("release");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Stored events/ }).click();
    await check("events");
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Code" }).click();
    await run(page, 'console.error("e");\nconsole.warn("w");\nawait fetch("https://example.org/v1/products/");');
    await check("program");
    await page.getByRole("combobox", { name: "Example" }).filter({ visible: true }).selectOption("products.list");
    await check("question");
    await click(page, "Keep mine");
    await page.getByRole("tab", { name: "Webhook" }).click();
    await click(page, "Emit");
    await shows(page, "Verified.");
    await check("delivery");
    await click(page, "Change the body");
    await shows(page, "Rejected");
    await check("rejected delivery");
  });
});
