import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { startReceiver } from "../support/local-server.ts";
import { describeInspector } from "./inspected.ts";

const run = promisify(execFile);
const event = { name: "api.call", external_customer_id: "acme", metadata: { text: `it's "$HOME" \`id\` \\ ü` } };

describeInspector("requests", (inspect) => {
  it("says in one line why a request was rejected", async () => {
    const { mock, server, row, billing } = await inspect({ server: { assumptions: { rateLimit: null } } });
    const authorization = `Bearer ${mock.issueToken({ scopes: ["events:write"] })}`;
    const invalid = { method: "POST", body: '{ "events": [{}] }' };
    for (const [path, headers, cause, init = {}] of [
      ["products/", {}, /^401.*The request has no access token/s],
      ["products/", { authorization: "Bearer unknown" }, /^401.*The access token is unknown/s],
      ["products/", { authorization }, /^403.*requires one of the scopes products:read/s],
      ["products/", { authorization, "service-version": "2031-01" }, /^404.*The version "2031-01" is not supported/s],
      ["nothing", { authorization }, /^404.*No operation of \S+ has this path/s],
      ["events/ingest", { authorization }, /^422.*body\.events\.0\.name: .*\(and \d more\)/s, invalid],
    ] as const) {
      await fetch(`${server.url}/v1/${path}`, { headers: { "content-type": "application/json", ...headers }, ...init });
      await row(cause).waitFor();
    }
    mock.fault({ status: 503, times: 1 });
    await billing.products.list().safe();
    await row(/^503.*fault-1 sent this response/s).waitFor();
    await billing.events.ingest([{ ...event, external_Id: "1" } as typeof event]);
    await row(/^200.*ignored body\.events\[]\.external_Id/s).waitFor();
  });

  it("shows bodies and headers of both sides at a URL that survives a reload, without secrets", async () => {
    const { page, billing, mock, row, details } = await inspect();
    const endpoint = mock.webhookEndpoints.create();
    await billing.webhooks.getEndpoint(endpoint.id);
    await row("webhooks/endpoints").click();
    await page.reload();
    const text = (name: string) => details.getByRole("region", { name }).innerText();
    await expect.poll(() => text("Response body")).toContain('"secret": "[redacted]"');
    expect(await text("Request headers")).toMatch(/"service-version": "\d{4}-\d\d"/);
    expect(await text("Request headers")).not.toContain("authorization");
    expect(await text("Response headers")).toContain('"content-type": "application/json"');
    expect(await page.content()).not.toContain(endpoint.secret);
    expect(page.url()).toMatch(/#requests\/1$/);
    mock.requests.clear();
    await details.getByText("It no longer exists").waitFor();
  });

  it("copies a request as a curl command that works", async () => {
    const { billing, mock, row, copy } = await inspect();
    await billing.events.ingest([event]);
    await row("events:ingest").click();
    const { stdout } = await run("sh", ["-c", `${await copy("Copy as curl")} -s`]);
    expect(JSON.parse(stdout)).toEqual({ inserted: 1, duplicates: 0 });
    const [first, second] = mock.requests.list();
    expect(second?.body).toEqual(first?.body);
    expect(second?.versionAsked).toBe(first?.versionAsked);
  });

  it("offers a first request and the valid tokens", async () => {
    const { page, mock, row, copy } = await inspect();
    const { stdout } = await run("sh", ["-c", `${await copy("Copy command")} -s`]);
    expect(JSON.parse(stdout)).toMatchObject({ items: [] });
    await row("products:list").waitFor();
    const [token] = [mock.issueToken({ type: "pat" })];
    await page.getByRole("button", { name: "Tokens" }).click();
    await page.getByText(token).waitFor();
    expect(await copy("Copy token")).toMatch(/^billing_oat_/);
  });

  it("shows the newest 250 requests, newest first", async () => {
    const { page, mock, row } = await inspect();
    for (let path = 0; path <= 250; path += 1) await mock.fetch(`${mock.baseUrls[0]}/v1/${path}`);
    await page.getByText("Only 250 rows are shown.").waitFor();
    await expect.poll(() => row("").innerText()).toContain("/v1/250");
    expect(await page.getByRole("listitem").count()).toBe(250);
  });

  it("opens a row with the keyboard, and moves the focus to its details", async () => {
    const { page, billing, row, details } = await inspect({ browser: { viewport: { width: 390, height: 800 } } });
    await billing.products.list();
    await row("products").focus();
    await page.keyboard.press("Enter");
    await details.waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Close");
  });
});

describeInspector("webhooks", (inspect) => {
  it("shows each delivery attempt with its signature and response, and redelivers or says why not", async () => {
    const { origin, received } = await startReceiver((_, response) => response.end('{ "received": true }'));
    const { page, mock, row, details } = await inspect();
    const { id, secret } = mock.webhookEndpoints.create({ url: origin, name: "Shop" });
    mock.webhooks.emit("order.paid", { id: "ord_1" });
    await page.getByRole("link", { name: "Webhooks" }).click();
    await row(/succeeded.*order\.paid.*200 from Shop/s).click();
    await details.getByText("Show").click();
    for (const text of [received[0]?.headers["webhook-signature"], '"received": true', '"id": "ord_1"', secret]) {
      await expect.poll(() => details.innerText()).toContain(text);
    }
    await page.getByRole("button", { name: "Redeliver" }).click();
    await details.locator("summary", { hasText: /^2\. / }).waitFor();
    expect(received[1]?.headers["webhook-id"]).toBe(received[0]?.headers["webhook-id"]);
    mock.webhookEndpoints.update(id, { enabled: false });
    await page.getByRole("button", { name: "Redeliver" }).click();
    await details.getByText("its endpoint is disabled").waitFor();
  });
});
