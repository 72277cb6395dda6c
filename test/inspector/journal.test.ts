import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { CURRENT } from "../support/versions.ts";
import { describeInspector } from "./inspected.ts";

const run = promisify(execFile);
const event = { name: "api.call", external_customer_id: "acme", metadata: { tokens: 3 } };

describeInspector("requests", (inspect) => {
  it("shows the request, the response and the ignored fields of the clicked row, without secrets", async () => {
    const { page, billing, mock, server } = await inspect();
    await billing.events.ingest([{ ...event, external_Id: "1" } as typeof event]);
    const endpoint = mock.webhookEndpoints.create();
    await billing.webhooks.getEndpoint(endpoint.id);
    await page.getByRole("row", { name: "ignored" }).click();
    const detail = page.getByRole("region", { name: "POST /v1/events/ingest" });
    const text = (name: string) => detail.getByLabel(name, { exact: true }).innerText();
    expect(await text("Request body")).toContain('"external_customer_id": "acme"');
    expect(await text("Response body")).toBe('{\n  "inserted": 1,\n  "duplicates": 0\n}');
    expect(await text("Request headers")).toContain(`"service-version": "${CURRENT}"`);
    expect(await text("Request headers")).not.toContain("authorization");
    await expect
      .poll(() => detail.innerText())
      .toMatch(/Requested version\s+(\S+)\s+Answered version\s+\1\s+Credential\s+oat/);
    await expect.poll(() => detail.innerText()).toMatch(/Ignored fields\s+body\.events\[]\.external_Id/);
    await page.getByRole("row", { name: "/v1/webhooks/endpoints" }).click();
    const body = page.getByRole("region", { name: "GET /v1" }).getByLabel("Response body", { exact: true });
    await expect.poll(() => body.innerText()).toContain('"secret": "[redacted]"');
    expect(await page.content()).not.toContain(endpoint.secret);
    const requests = await (await fetch(`${server.url}/__mock/requests`)).text();
    expect(requests).not.toContain(endpoint.secret);
    // A version that does not exist: the token was not checked.
    const headers = { authorization: `Bearer ${mock.issueToken()}`, "service-version": "2031-01" };
    await fetch(`${server.url}/v1/products/`, { headers });
    await page.getByRole("row", { name: "/v1/products/" }).click();
    await expect
      .poll(() => page.getByRole("region", { name: "GET /v1/products/" }).innerText())
      .toMatch(/Requested version\s+2031-01\s+Answered version\s+none: the requested.*\s+Credential\s+not checked/);
  });

  it("shows requests as they arrive, newest first, filters by words of any column, and follows a reset and Clear", async () => {
    const { page, billing, mock } = await inspect();
    await page.getByText("No requests yet").waitFor();
    await billing.events.ingest([event]);
    await billing.webhooks.getEndpoint("3f2b8f8e-5f5a-4d0c-9a50-2f6d8e1f7c11").safe();
    mock.fault({ kind: "reset" });
    await billing.products.list().safe();
    const rows = page.locator(".grid tbody tr");
    await expect.poll(() => rows.count()).toBe(3);
    await expect.poll(() => page.getByRole("link", { name: "Requests" }).innerText()).toMatch(/3$/);
    await page.keyboard.press("/");
    await page.keyboard.type("get 4xx");
    await page.getByText("1 of 3").waitFor();
    const field = page.getByRole("searchbox", { name: "Filter requests" });
    for (const [filter, found] of Object.entries({
      "get 4xx": [/404/],
      "4xx ingest": [],
      " INGEST ": [/POST\s+\/v1\/events\/ingest\s+events:ingest\s+[\d-]+\s+oat\s+200/],
      failed: [/products:list/],
      fault: [/products:list/],
      "": [/products/, /404/, /POST/],
    })) {
      await field.fill(filter);
      await expect.poll(() => rows.allInnerTexts()).toEqual(found.map((text) => expect.stringMatching(text)));
      expect(await page.getByText("No matches").count()).toBe(found.length === 0 ? 1 : 0);
    }
    mock.reset();
    await page.getByText("No requests yet").waitFor();
    await billing.products.list().safe();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByText("No requests yet").waitFor();
    expect(mock.requests.list()).toEqual([]);
  });

  it("copies a request as a working curl command without the token", async () => {
    const { page, billing, mock, server, announced } = await inspect({
      browser: { permissions: ["clipboard-read", "clipboard-write"] },
    });
    const odd = { ...event, metadata: { text: `it's "$HOME" \`id\` \\ ü` } };
    await billing.events.ingest([odd]);
    await page.getByRole("row", { name: "events:ingest" }).click();
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await announced("Copied");
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(command).toContain("$BILLING_TOKEN");
    expect(command).not.toMatch(/billing_oat/);
    const { stdout } = await run("sh", ["-c", `${command} -s`], {
      env: { ...process.env, BILLING_TOKEN: mock.issueToken() },
    });
    expect(JSON.parse(stdout)).toEqual({ inserted: 1, duplicates: 0 });
    expect(mock.requests.last()?.body).toEqual(mock.requests.list()[0]?.body);
    expect(command).toContain(`${server.url}/v1/events/ingest`);
  });

  it("opens and closes rows with the keyboard in a narrow window, which shows either the list or a row", async () => {
    const { page, billing } = await inspect({ browser: { viewport: { width: 800, height: 700 } } });
    await billing.events.ingest([event]);
    const row = page.getByRole("radio", { name: "POST /v1/events/ingest" });
    const detail = page.getByRole("region", { name: "POST /v1/events/ingest" });
    await row.focus();
    for (const _ of ["once", "again"]) {
      await page.keyboard.press("Space");
      await detail.waitFor();
      await row.waitFor({ state: "hidden" });
      await page.keyboard.press("Escape");
      await detail.waitFor({ state: "detached" });
    }
  });

  it("is usable with only the keyboard, also from a row that was clicked", async () => {
    const { page, billing } = await inspect();
    await billing.products.list();
    await billing.events.ingest([event]);
    const row = page.getByRole("row", { name: "events:ingest" });
    const detail = page.getByRole("region", { name: "POST /v1/events/ingest" });
    const older = page.getByRole("region", { name: "GET /v1/products/" });
    await row.waitFor();
    await page.getByRole("button", { name: "Clear" }).focus();
    for (const [key, opened] of Object.entries({ Tab: undefined, Space: detail, ArrowDown: older, ArrowUp: detail })) {
      await page.keyboard.press(key);
      await opened?.waitFor();
    }
    await page.keyboard.press("Tab");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Close Esc");
    await page.keyboard.press("Enter");
    await detail.waitFor({ state: "detached" });
    await expect.poll(() => row.getByRole("radio").isChecked()).toBe(false);
    await row.click();
    await detail.waitFor();
    await page.keyboard.press("Escape");
    await detail.waitFor({ state: "detached" });
    await page.keyboard.press("Space");
    await detail.waitFor();
    await page.keyboard.press("ArrowDown");
    await older.waitFor();
  });

  it("renders the newest 250 of a thousand rows, finds the others, and keeps the visible rows in place", async () => {
    const { page, billing, mock } = await inspect();
    const endpoint = mock.webhookEndpoints.create();
    for (let batch = 0; batch < 12; batch += 1) {
      await Promise.all(Array.from({ length: 100 }, () => billing.webhooks.getEndpoint(endpoint.id)));
    }
    await page.getByText("newest 1,000 of 1,200").waitFor();
    await page.locator("#row-1200").waitFor(); // the rows can appear after the count
    const scroller = page.locator(".scroller");
    const rows = page.locator(".grid tbody tr");
    await expect.poll(() => rows.count()).toBe(250);
    await page.getByText("750 older rows are not shown.").waitFor();
    await scroller.evaluate((box) => {
      box.scrollTop = 3000;
    });
    const visibleRow = () => page.evaluate(() => document.elementFromPoint(200, 400)?.closest("tr")?.id);
    await expect.poll(visibleRow).toMatch(/^row-1[01]\d\d$/);
    const before = await visibleRow();
    await billing.events.ingest([event]);
    await expect.poll(() => scroller.evaluate(({ scrollTop }) => scrollTop)).toBe(3030);
    expect(await visibleRow()).toBe(before);
  });
});
