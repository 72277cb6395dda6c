import { expect, it } from "vitest";
import { SCREENS, violationsOf } from "../browser/violations-of.ts";
import { describeInspector } from "./inspected.ts";

const tabs = ["Requests", "Webhooks", "Endpoints", "Records", "Usage", "Versions", "Clock", "Faults"];

describeInspector("accessibility", (inspect) => {
  for (const [colorScheme, width] of SCREENS) {
    it(`passes axe in ${colorScheme} mode, ${width} pixels wide`, async () => {
      const { page, mock, billing, show } = await inspect({
        browser: { colorScheme, viewport: { width, height: 800 } },
      });
      expect(await violationsOf(page)).toEqual([]);
      const { url } = mock.webhookEndpoints.create({ name: "Shop" });
      mock.webhookEndpoints.create({ enabled: false });
      mock.webhooks.receive(url, () => Response.json({ received: true }, { status: 503 }));
      mock.webhooks.emit("order.paid", { id: 1, paid: true, note: null });
      mock.fault({ operation: "products:list", status: 503, delay: 1 });
      await billing.products.list().safe();
      await billing.events.ingest([{ name: "api.call", external_customer_id: "acme", metadata: { a: 1 } }]);
      await billing.webhooks.getEndpoint("no id" as never).safe();
      for (const tab of tabs) {
        await show(tab);
        expect([tab, await violationsOf(page)]).toEqual([tab, []]);
        const row = page.locator(".grid tbody tr").first();
        if (!["Requests", "Webhooks"].includes(tab)) continue;
        await row.click();
        await page.locator(".detail .code").first().waitFor();
        expect([tab, await violationsOf(page)]).toEqual([tab, []]);
      }
      await show("Versions");
      await page.getByRole("button", { name: /^Release/ }).click();
      expect(await violationsOf(page)).toEqual([]);
    });
  }

  it("follows the color scheme of the system", async () => {
    const { page } = await inspect({ browser: { colorScheme: "dark" } });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await background()).toBe("rgb(20, 22, 26)");
    await page.emulateMedia({ colorScheme: "light" });
    expect(await background()).toBe("rgb(255, 255, 255)");
  });

  it("keeps the tab in the URL", async () => {
    const { page, show } = await inspect();
    await show("Faults");
    await page.reload();
    await page.getByRole("button", { name: "Add fault" }).waitFor();
    expect(await page.title()).toBe("Faults · Billing mock");
    await page.goBack();
    await page.getByText("No requests yet").waitFor();
    expect(await page.locator("[aria-current=page]").innerText()).toContain("Requests");
  });

  it("shows a focus outline at every tab stop", async () => {
    const { page, mock } = await inspect({ tab: "endpoints" });
    mock.webhookEndpoints.create({ name: "Shop" });
    await page.getByRole("region", { name: "Shop" }).waitFor();
    const stops: string[] = [];
    for (;;) {
      await page.keyboard.press("Tab");
      const [name, width] = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        const label = element.id || element.innerText || element.tagName;
        return [element === document.body ? undefined : label, getComputedStyle(element).outlineWidth];
      });
      if (name === undefined || stops.length > 20) break;
      expect([name, width]).toEqual([name, "2px"]);
      stops.push(name);
    }
    expect(stops.length).toBeGreaterThanOrEqual(8);
  });

  it("fits a narrow window without horizontal scrolling", async () => {
    const { page, mock, billing, show } = await inspect({ browser: { viewport: { width: 340, height: 700 } } });
    mock.webhookEndpoints.create({ name: "A name that is rather long for such a narrow window, without a doubt" });
    const name = "a.name.that.is.rather.long.for.such.a.narrow.window.without.a.doubt";
    await billing.events.ingest([{ name, external_customer_id: "acme" }]);
    const ends = await page
      .getByRole("navigation")
      .getByRole("link")
      .evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().right));
    expect(Math.max(...ends)).toBeLessThanOrEqual(340);
    for (const tab of tabs) {
      await show(tab);
      if (tab === "Usage") {
        const heading = page.getByRole("heading", { name: "All events" });
        expect((await heading.boundingBox())?.height).toBeLessThan(30);
        const right = (locator: typeof heading) => locator.evaluate((part) => part.getBoundingClientRect().right);
        expect(await right(page.getByLabel("Show"))).toBeLessThan(
          await right(page.getByRole("region", { name: "All events" })),
        );
      }
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([tab, over]).toEqual([tab, 0]);
    }
  });
});
