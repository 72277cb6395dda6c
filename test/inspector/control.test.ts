import { expect, it } from "vitest";
import { routes } from "../../mock/control/routes.ts";
import { violationsOf, WIDTHS } from "../browser/violations-of.ts";
import { describeInspector } from "./inspected.ts";

describeInspector("control", (inspect) => {
  it("has a form for each route, which sends it and shows the response", async () => {
    const { page, mock, details, row } = await inspect();
    await page.getByRole("link", { name: "Control" }).click();
    await expect.poll(() => page.getByRole("listitem").count()).toBe(Object.keys(routes).length);
    const send = () => page.getByRole("button", { name: "Send" }).click();
    await row("Adds a fault").click();
    const body = details.getByLabel("Body");
    expect(JSON.parse(await body.inputValue())).toEqual(routes["POST /faults"]?.example);
    await send();
    await details.getByText("201").waitFor();
    expect(mock.faults.list()).toMatchObject([{ ...routes["POST /faults"]?.example }]);
    await body.fill("{ nonsense");
    await send();
    await details.getByText("The body is not valid JSON").waitFor();
    await row("Removes a fault").click();
    await details.getByLabel("id").fill("fault-1");
    await page.keyboard.press("Enter");
    await details.getByText("204").waitFor();
    expect(mock.faults.list()).toEqual([]);
    await row("Lists the requests").click();
    await details.getByLabel("newest").fill("first");
    await send();
    await details.getByText('received \\"first\\"').waitFor();
  });
});

describeInspector("accessibility", (inspect) => {
  for (const width of WIDTHS) {
    it(`passes axe in light and dark mode, ${width} pixels wide, and fits its window`, async () => {
      const { page, mock, server, billing, details } = await inspect({ browser: { viewport: { width, height: 800 } } });
      const long = "a name that is rather long for such a narrow window, without a doubt";
      const { url } = mock.webhookEndpoints.create({ name: long });
      mock.webhooks.receive(url, () => Response.json({ received: true }, { status: 503 }));
      const [emitted] = mock.webhooks.emit("order.paid", { id: 1, paid: true, note: null });
      await billing.events.ingest([{ name: long, external_customer_id: "acme" }]);
      await billing.webhooks.getEndpoint(long as never).safe();
      const route = encodeURIComponent("POST /__mock/tokens");
      for (const place of ["requests", "requests/2", `webhooks/${emitted?.id}`, "webhooks", `control/${route}`]) {
        await page.goto(`${server.url}/__mock/#${place}`);
        await (place.includes("/") ? details : page.getByRole("listitem").first()).waitFor();
        if (place.startsWith("control")) await page.getByRole("button", { name: "Tokens" }).click();
        expect([place, await violationsOf(page)]).toEqual([place, []]);
        expect([place, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([place, width]);
      }
    });
  }
});
