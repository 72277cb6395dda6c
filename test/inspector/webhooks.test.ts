import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { startReceiver } from "../support/local-server.ts";
import { DEPRECATED } from "../support/versions.ts";
import { describeInspector } from "./inspected.ts";

describeInspector("webhooks and endpoints", (inspect) => {
  it("emits an event from the form, and shows the delivery with its signature", async () => {
    const { origin, received } = await startReceiver((_, response) => response.end('{ "received": true }'));
    const { page, mock, show } = await inspect({ tab: "endpoints" });
    const endpoint = mock.webhookEndpoints.create({ url: origin, name: "Shop" });
    await page.getByRole("region", { name: "Shop" }).waitFor();
    await page.getByLabel("Event type").selectOption("order.refunded");
    await page.getByLabel("Data (JSON)").fill('{ "id": "ord_1" }');
    await page.getByRole("button", { name: "Emit" }).click();
    await page.getByText("1 event emitted.").waitFor();
    await expect.poll(() => received.length).toBe(1);
    expect(new Webhook(endpoint.secret).verify(received[0]!.body, received[0]!.headers)).toMatchObject({
      type: "order.refunded",
      data: { id: "ord_1" },
    });
    mock.webhooks.emit("order.paid", {});
    await show("Webhooks");
    await page.getByText("2 events, 2 attempts").waitFor();
    await page.getByRole("searchbox", { name: "Filter webhooks" }).fill("shop refunded");
    await page.getByText("1 of 2").waitFor();
    await page.getByRole("row", { name: "order.refunded" }).click();
    const detail = page.getByRole("region", { name: "order.refunded" });
    await expect.poll(() => detail.innerText()).toContain(received[0]!.headers["webhook-signature"]);
    await expect.poll(() => detail.getByLabel("Payload", { exact: true }).innerText()).toContain('"id": "ord_1"');
    await expect.poll(() => detail.getByLabel("Response 200").innerText()).toContain('"received": true');
  });

  it("redelivers an event, or explains why it cannot", async () => {
    const { origin, received } = await startReceiver();
    const { page, mock, announced } = await inspect({ tab: "webhooks" });
    const { id } = mock.webhookEndpoints.create({ url: origin });
    mock.webhooks.emit("order.paid", {});
    await page.getByRole("row", { name: "order.paid" }).click();
    await page.getByRole("button", { name: "Redeliver" }).click();
    await expect.poll(() => received.length).toBe(2);
    expect(received[1]?.headers["webhook-id"]).toBe(received[0]?.headers["webhook-id"]);
    await expect.poll(() => page.locator(".attempts > li").count()).toBe(2);
    await announced("Redelivery started.");
    mock.webhookEndpoints.update(id, { enabled: false });
    await page.getByRole("button", { name: "Redeliver" }).click();
    await announced("its endpoint is disabled");
  });

  it("reports an event without endpoints, and data that is not JSON", async () => {
    const { page } = await inspect({ tab: "endpoints" });
    await page.getByText("No webhook endpoints yet").waitFor();
    await page.getByRole("button", { name: "Emit" }).click();
    await page.getByText("No enabled endpoint lists order.paid").waitFor();
    await page.getByLabel("Data (JSON)").fill("{ nonsense");
    await page.getByRole("button", { name: "Emit" }).click();
    await page.getByText("Data must be valid JSON").waitFor();
  });

  it("shows the state, version, format and event types of an endpoint, and its secret on request", async () => {
    const { page, mock } = await inspect({ tab: "endpoints" });
    const { id, secret } = mock.webhookEndpoints.create({
      name: "Team",
      format: "slack",
      api_version: DEPRECATED,
      events: ["order.paid", "order.created"],
      url: "https://hooks.example/1",
    });
    const card = page.getByRole("region", { name: "Team" });
    await card.waitFor();
    const text = await card.innerText();
    for (const word of [
      "enabled",
      "https://hooks.example/1",
      `${DEPRECATED} deprecated`,
      "slack",
      "2 event types",
      id,
    ]) {
      expect(text).toContain(word);
    }
    expect(await card.innerText()).not.toContain(secret);
    await card.getByText("Show or hide").click();
    await expect.poll(() => card.innerText()).toContain(secret);
    await card.getByText("2 event types").click();
    await expect.poll(() => card.innerText()).toContain("order.created");
    await card.getByRole("button", { name: "Disable" }).click();
    await card.getByText("disabled").waitFor();
    expect(mock.webhookEndpoints.get(id)?.enabled).toBe(false);
  });
});
