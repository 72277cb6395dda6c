import { expect, it } from "vitest";
import { describeInspector, receiver } from "./inspected.ts";

const hostile = `<img src=x onerror="window.owned=true"><script>window.owned=true</script>`;

describeInspector("escaping", (inspect) => {
  it("shows markup in names, paths, bodies and responses as text", async () => {
    const { url } = await receiver();
    const { page, mock, billing, server, requested, logged, show } = await inspect();
    mock.organizations.create({ name: hostile });
    mock.webhookEndpoints.create({ url, name: hostile });
    mock.webhooks.emit("order.paid", { text: hostile });
    await mock.webhooks.idle();
    await billing.events.ingest([
      { name: hostile, external_customer_id: hostile, metadata: { "<b onerror=1>": hostile } },
    ]);
    await fetch(`${server.url}/v1/${hostile}?${hostile}`, { method: "POST", body: hostile });
    const expectInert = async () => {
      expect(await page.locator("#app img, #app script, #app [onerror]").count()).toBe(0);
      expect(await page.evaluate(() => "owned" in window)).toBe(false);
    };
    for (const row of [0, 1]) {
      await page.locator("[role=grid] tbody tr").nth(row).click();
      await page.locator(".detail .code").first().waitFor();
      expect(await page.locator(".detail").innerText()).toContain("onerror=");
      await expectInert();
    }
    for (const tab of ["Webhooks", "Endpoints", "Usage", "Versions", "Faults"]) {
      await show(tab);
      if (tab === "Webhooks") await page.getByRole("row", { name: "order.paid" }).click();
      if (tab === "Usage") await page.getByLabel("Show").selectOption(hostile);
      if (["Webhooks", "Endpoints", "Usage"].includes(tab)) {
        expect(await page.getByRole("tabpanel").innerText()).toContain("<img src=x onerror=");
      }
      await expectInert();
    }
    expect(requested.filter((address) => !address.startsWith(`${server.url}/__mock`))).toEqual([]);
    expect(logged).toEqual([]);
  });
});
