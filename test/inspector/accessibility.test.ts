import { expect, it } from "vitest";
import { violationsOf, WIDTHS } from "../browser/violations-of.ts";
import { describeInspector } from "./inspected.ts";

const tabs = ["Requests", "Webhooks", "Endpoints", "Records", "Usage", "Versions", "Clock", "Faults"];

/** Returns the first words of each table, and of each path of an ingest, that does not fit. */
function cutOff(): string[] {
  const boxes = [...document.querySelectorAll(".overflow, .col-path:has([title*=ingest])")];
  return boxes.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent.slice(0, 40));
}

/** Returns the contrast of a field's border with the page, at most 21. */
function borderContrast(): number {
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((part) => (Number(part) / 255) ** 2.2);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const field = document.querySelector("input, select") as Element;
  const [border, page] = [getComputedStyle(field).borderTopColor, getComputedStyle(document.body).backgroundColor];
  const ratio = luminance(border) / luminance(page);
  return Math.max(ratio, 1 / ratio);
}

describeInspector("accessibility", (inspect) => {
  for (const width of WIDTHS) {
    it(`passes axe in light and dark mode, ${width} pixels wide, and fits its window`, async () => {
      const { page, mock, billing, show } = await inspect({ browser: { viewport: { width, height: 800 } } });
      expect(await violationsOf(page)).toEqual([]);
      const long = "a name that is rather long for such a narrow window, without a doubt";
      const { url } = mock.webhookEndpoints.create({ name: long });
      mock.webhookEndpoints.create({ enabled: false });
      mock.webhooks.receive(url, () => Response.json({ received: true }, { status: 503 }));
      mock.webhooks.emit("order.paid", { id: 1, paid: true, note: null });
      mock.fault({ operation: "products:list", status: 503, delay: 1 });
      await billing.products.list().safe();
      const name = long.replaceAll(" ", ".");
      await billing.events.ingest([{ name, external_customer_id: "acme", metadata: { a: 1 } }]);
      await billing.webhooks.getEndpoint("no id" as never).safe();
      for (const tab of tabs) {
        await show(tab);
        expect([tab, await violationsOf(page)]).toEqual([tab, []]);
        expect([tab, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([tab, width]);
        expect([tab, await page.evaluate(cutOff)]).toEqual([tab, []]);
        const row = page.locator(".grid tbody tr").first();
        if (!["Requests", "Webhooks"].includes(tab)) continue;
        await row.click();
        await page.locator(".detail .code").first().waitFor();
        expect([tab, await violationsOf(page)]).toEqual([tab, []]);
      }
      await show("Usage");
      await page.getByText('{"a":1}').waitFor();
      expect(await page.evaluate(borderContrast)).toBeGreaterThan(3);
      await show("Versions");
      await page.getByRole("button", { name: /^Release/ }).click();
      expect(await violationsOf(page)).toEqual([]);
    });
  }

  it("follows the color scheme of the system", async () => {
    const { page } = await inspect({ browser: { colorScheme: "dark" } });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await background()).toBe("rgb(27, 27, 31)");
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
});
