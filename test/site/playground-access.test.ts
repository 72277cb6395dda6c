import { expect, it } from "vitest";
import { describeInChromium } from "../browser/chromium.ts";
import { announced, click, editor, result, run, startPlayground } from "./playground-page.ts";
import { violationsOf } from "./violations-of.ts";

describeInChromium("the playground for everyone", (openPage) => {
  const { openPlayground } = startPlayground(openPage);

  it("can be used with the keyboard only", async () => {
    const page = await openPlayground({ panel: "code" });
    await editor(page, "Program").focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type('console.log("typed");');
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Run the program");
    await page.keyboard.press("Enter");
    await expect.poll(() => result(page).innerText()).toContain("typed");
    await page.getByRole("tab", { name: "Client code" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Webhook");
    await page.keyboard.press("Tab");
    for (const key of ["Tab", "Tab", "Tab", "Enter"]) await page.keyboard.press(key);
    await announced(page, "The mock delivered order.paid, signed.");
  });

  it.each(["light", "dark"] as const)("passes axe in %s mode", async (colorScheme) => {
    const page = await openPlayground({}, { colorScheme });
    await page.locator(".playground-scopes summary").click();
    await click(page, "Send the request");
    await click(page, "Make a release");
    await page.getByRole("region", { name: "Changes" }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("tab", { name: "Client code" }).click();
    await run(
      page,
      'console.error("e");\nconsole.warn("w");\nawait fetch("https://api.billing-service.example/v1/products/");',
    );
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("tab", { name: "Webhook" }).click();
    await click(page, "Emit the webhook");
    await click(page, "Change the body");
    await announced(page, "rejected");
    expect(await violationsOf(page)).toEqual([]);
  });

  it("fits a phone", async () => {
    const page = await openPlayground({}, { viewport: { width: 360, height: 740 } });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    await click(page, "Send the request");
    await click(page, "Make a release");
    await page.getByRole("region", { name: "Changes" }).waitFor();
    expect(await width()).toBe(360);
    await page.getByRole("tab", { name: "Webhook" }).click();
    await click(page, "Emit the webhook");
    await click(page, "Change the body");
    await announced(page, "rejected");
    expect(await width()).toBe(360);
  });
});
