import { expect, it } from "vitest";
import { AFTER_NEXT, CURRENT, DEPRECATED, NEXT } from "../support/versions.ts";
import { describeInspector } from "./inspected.ts";

const event = { name: "api.call", external_customer_id: "acme" };

describeInspector("versions, faults and usage", (inspect) => {
  it("makes a release, and a reset that undoes it, only after confirmation", async () => {
    const { page, mock, announced } = await inspect({ tab: "versions" });
    const open = page.getByRole("button", { name: `Release ${NEXT}…` });
    const dialog = page.getByRole("dialog");
    await open.click();
    await expect.poll(() => dialog.innerText()).toContain(`${AFTER_NEXT} is added as Next`);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await open.press("Enter");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(mock.versions.current).toBe(CURRENT);
    await open.click();
    await dialog.getByRole("button", { name: `Release ${NEXT}` }).click();
    await announced(`${NEXT} is now Current.`);
    expect(mock.versions).toEqual({ deprecated: CURRENT, current: NEXT, next: AFTER_NEXT });
    await page.getByRole("region", { name: AFTER_NEXT }).getByText("next").waitFor();
    await page.getByRole("button", { name: "Reset…" }).click();
    await page.getByRole("dialog", { name: "Reset?" }).getByRole("button", { name: "Reset" }).click();
    await announced("The mock was reset.");
    await page.getByRole("region", { name: DEPRECATED }).waitFor();
    expect(mock.versions.current).toBe(CURRENT);
  });

  it("shows the assumptions that differ from the defaults", async () => {
    const { page, mock } = await inspect({ tab: "versions" });
    const card = page.getByRole("region", { name: "Assumptions" });
    await expect.poll(() => card.innerText()).toContain("the mock has the defaults");
    mock.setAssumptions({ maxBatchSize: 250, retry: { attempts: 2 } });
    await card.getByText("maxBatchSize").waitFor();
    await expect.poll(() => card.innerText()).toMatch(/maxBatchSize\s+250\s+retry\.attempts\s+2\s+All others/);
  });

  it("adds a fault that applies to requests, and removes it", async () => {
    const { page, billing, mock } = await inspect({ tab: "faults" });
    await page.getByText("No faults").waitFor();
    await page.getByRole("combobox", { name: "Operation" }).selectOption("events:ingest");
    await page.getByLabel("Status", { exact: true }).fill("502");
    await page.getByLabel("Body", { exact: true }).fill('{ "reason": 7 }');
    await page.getByRole("button", { name: "Add fault" }).click();
    const row = page.getByRole("row", { name: "Status 502" });
    await row.waitFor();
    expect(mock.faults.list()).toMatchObject([{ operation: "events:ingest", status: 502, body: { reason: 7 } }]);
    expect(await billing.events.ingest([event]).safe()).toMatchObject({ ok: false, error: { status: 502 } });
    await expect.poll(() => row.innerText()).toMatch(/events:ingest\s+Status 502\s+1\s+unlimited/);
    await row.getByRole("button", { name: "Remove" }).click();
    await page.getByText("No faults").waitFor();
    expect(mock.faults.list()).toEqual([]);
    expect(await billing.events.ingest([event])).toMatchObject({ inserted: 1 });
  });

  it("keeps a form on other tabs, and adds other kinds of faults with skip, times and probability", async () => {
    const { page, mock, show } = await inspect({ tab: "faults" });
    const fill = async (texts: Record<string, string>) => {
      for (const [label, text] of Object.entries(texts)) await page.getByLabel(label).fill(text);
    };
    await page.getByLabel("Effect").selectOption("Connection reset");
    await fill({ "Skip first": "3", Times: "2", Probability: "0.5" });
    await show("Endpoints");
    await show("Faults");
    expect(await page.getByLabel("Status", { exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Add fault" }).click();
    const row = page.getByRole("row", { name: "Connection reset" });
    await expect.poll(() => row.innerText()).toContain("skips the first 3 requests (3 left)");
    await page.getByLabel("Effect").selectOption("Delay only");
    await fill({ "Skip first": "", Times: "", Probability: "", "Delay (ms)": "20" });
    await page.getByRole("button", { name: "Add fault" }).click();
    await expect.poll(() => mock.faults.list().length).toBe(2);
    expect(mock.faults.list()).toMatchObject([{ kind: "reset", skip: 3, times: 2, probability: 0.5 }, { delay: 20 }]);
    await page.getByRole("button", { name: "Remove all" }).click();
    await expect.poll(() => mock.faults.list()).toEqual([]);
  });

  it("counts usage events by name and over time", async () => {
    const { page, billing } = await inspect({ tab: "usage" });
    await page.getByText("No usage events yet").waitFor();
    const at = (minute: number) => new Date(Date.UTC(2025, 0, 1, 12, minute)).toISOString();
    await billing.events.ingest([0, 10, 20].map((minute) => ({ ...event, timestamp: at(minute) })));
    await billing.events.ingest([{ ...event, name: "email.sent", timestamp: at(20), metadata: { to: "ada" } }]);
    const counts = page.getByRole("region", { name: "Counts by name", exact: true });
    await expect.poll(() => counts.innerText()).toMatch(/api\.call\s+3\s+email\.sent\s+1/);
    const chart = page.getByRole("img", { name: "Bar chart" });
    await expect.poll(() => chart.getAttribute("aria-label")).toContain("Highest bar: 2 events");
    await expect.poll(() => chart.locator(".bar").count()).toBe(3);
    const [, end] = /to (.+), one bar/.exec(String(await chart.getAttribute("aria-label"))) ?? [];
    await expect.poll(() => page.locator(".chart-times span").last().innerText()).toBe(end);
    await page.getByLabel("Show").selectOption("email.sent");
    await expect.poll(() => chart.locator(".bar").count()).toBe(1);
    await expect
      .poll(() => page.getByRole("region", { name: "Newest events", exact: true }).innerText())
      .toContain('{"to":"ada"}');
  });
});

describeInspector("records and tokens", (inspect) => {
  it("issues a working token, says which scope is unknown, and creates products and customers", async () => {
    const { page, mock, server, announced } = await inspect({ tab: "records" });
    const products = page.getByRole("region", { name: "Products", exact: true });
    await products.getByText("No product yet.").waitFor();
    await page.getByRole("textbox", { name: "Scopes" }).fill("products:read");
    await page.getByRole("button", { name: "Issue token" }).click();
    const shown = page.getByLabel("Access token", { exact: true });
    const headers = { authorization: `Bearer ${await shown.innerText()}`, "content-type": "application/json" };
    expect((await fetch(`${server.url}/v1/products/`, { headers })).status).toBe(200);
    const ingest = { method: "POST", headers, body: JSON.stringify({ events: [event] }) };
    expect((await fetch(`${server.url}/v1/events/ingest`, ingest)).status).toBe(403);
    const form = (name: string) => page.getByRole("form", { name });
    await form("Create a product").getByLabel("Name").fill(" Starter ");
    await page.getByRole("button", { name: "Create product" }).click();
    await announced("Created a product.");
    await expect.poll(() => mock.products.list()).toMatchObject([{ name: "Starter" }]);
    await expect.poll(() => products.innerText()).toContain("Starter");
    await form("Create a customer").getByLabel("Email").fill("ada@acme.example");
    await page.getByRole("button", { name: "Create customer" }).click();
    await page.getByRole("region", { name: "Customers" }).getByText("ada@acme.example").waitFor();
    expect(mock.customers.list()).toMatchObject([{ email: "ada@acme.example" }]);
    for (let i = 0; i < 25; i++) mock.customers.create();
    await page.getByRole("region", { name: "Customers" }).getByText("and 6 more").waitFor();
    await page.getByRole("textbox", { name: "Scopes" }).fill("products:red");
    await page.getByRole("button", { name: "Issue token" }).click();
    await page.getByText(/issueToken: .*products:red/).waitFor();
  });
});
