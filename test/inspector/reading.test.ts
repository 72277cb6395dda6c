import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { fetchNewRequests } from "../../mock/inspector/page/session.ts";
import type { RecordedRequest } from "../../mock/journal/requests.ts";
import { startReceiver } from "../support/local-server.ts";
import { describeInspector } from "./inspected.ts";

const run = promisify(execFile);
const event = { name: "api.call", external_customer_id: "acme", metadata: { text: `it's "$HOME" \`id\` \\ ü` } };

describeInspector("requests", (inspect) => {
  it("says in one line why a request was rejected", async () => {
    const { mock, server, row, billing } = await inspect({ server: { assumptions: { rateLimit: null } } });
    const send = (path: string, headers: Record<string, string>, body: string | null = null) =>
      fetch(`${server.url}/v1/${path}`, { method: body === null ? "GET" : "POST", headers, body });
    const authorization = `Bearer ${mock.issueToken({ scopes: ["events:write"] })}`;
    await send("products/", {});
    await row(/^401.*The request has no access token/s).waitFor();
    await send("products/", { authorization: "Bearer unknown" });
    await row(/^401.*The access token is unknown/s).waitFor();
    await send("products/", { authorization });
    await row(/^403.*requires one of the scopes products:read/s).waitFor();
    await send("products/", { authorization, "service-version": "2031-01" });
    await row(/^404.*The version "2031-01" is not supported/s).waitFor();
    await send("nothing", { authorization });
    await row(/^404.*No operation of \S+ has this path/s).waitFor();
    await send("events/ingest", { authorization, "content-type": "application/json" }, '{ "events": [{}] }');
    await row(/^422.*body\.events\.0\.name: .*\(and \d more\)/s).waitFor();
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
    const { page, billing, mock, server, row, copy } = await inspect();
    await billing.events.ingest([event]);
    await row("events:ingest").click();
    const { stdout } = await run("sh", ["-c", `${await copy("Copy as curl")} -s`]);
    expect(JSON.parse(stdout)).toEqual({ inserted: 1, duplicates: 0 });
    const [first, second] = mock.requests.list();
    expect(second?.body).toEqual(first?.body);
    expect(second?.versionAsked).toBe(first?.versionAsked);
    await fetch(`${server.url}/v1/products/`, { method: "HEAD" });
    await row("HEAD").click();
    expect((await run("sh", ["-c", `${await copy("Copy as curl")} -s`])).stdout).toMatch(/^HTTP\/1.1 40/);
    const headers = { authorization: `Bearer ${mock.issueToken()}` };
    await fetch(`${server.url}/v1/too-long`, { method: "POST", headers, body: "x".repeat(1024 * 1024 + 1) });
    await row("too-long").click();
    await page.getByText("(1048577 characters)").waitFor();
    expect(await page.getByRole("button", { name: "Copy as curl" }).count()).toBe(0);
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
    await page.getByText("Only the first 250 rows are shown.").waitFor();
    await expect.poll(() => row("").innerText()).toContain("/v1/250");
    expect(await page.getByRole("listitem").count()).toBe(250);
  });

  it("filters by words, which the URL keeps, and opens rows with the keyboard", async () => {
    const { page, billing, details } = await inspect();
    await billing.products.list();
    await billing.events.ingest([event]);
    await billing.webhooks.getEndpoint("3f2b8f8e-5f5a-4d0c-9a50-2f6d8e1f7c11").safe();
    const rows = page.getByRole("list", { name: "Requests, newest first" }).getByRole("listitem");
    await expect.poll(() => rows.count()).toBe(3);
    await page.keyboard.press("/");
    await page.keyboard.type("GET 4xx");
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining("404")]);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole("searchbox").fill("2xx");
    await expect.poll(() => rows.count()).toBe(2);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    const heading = details.getByRole("heading", { level: 2 });
    for (const [key, title] of Object.entries({ Enter: /ingest/, ArrowDown: /products/, ArrowUp: /ingest/ })) {
      await page.keyboard.press(key);
      await expect.poll(() => heading.innerText()).toMatch(title);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    await rows.first().waitFor({ state: "hidden" });
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("ingest");
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
    await details.getByText("2.").waitFor();
    expect(received[1]?.headers["webhook-id"]).toBe(received[0]?.headers["webhook-id"]);
    mock.webhookEndpoints.update(id, { enabled: false });
    await page.getByRole("button", { name: "Redeliver" }).click();
    await details.getByText("its endpoint is disabled").waitFor();
  });
});

/** Requests with the ids from one to another. A server that was restarted gives them other times. */
const requests = (from: number, to: number, at = "2025-01-01T00:00:00.000000Z") =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: from + index, at }) as RecordedRequest);

const all = undefined;
it.each([
  ["reads everything at first", [], requests(1, 3), [all]],
  ["reads only new requests", requests(1, 3), requests(1, 5), ["2"]],
  ["discards cleared requests", requests(1, 3), [], ["2", all]],
  ["discards requests cleared before new ones arrived", requests(1, 3), requests(4, 9), ["2"]],
  ["discards requests of another server with the same ids", requests(1, 3), requests(1, 4, "2026"), ["2", all]],
  ["keeps at most as many requests as the server", requests(1, 900), requests(800, 1799), ["899"]],
])("the page %s", async (_, known, kept, queries) => {
  const asked: (string | undefined)[] = [];
  const found = await fetchNewRequests(known, async (after) => {
    asked.push(after);
    return kept.filter(({ id }) => id > Number(after ?? 0));
  });
  expect({ found, queries: asked }).toEqual({ found: kept, queries });
});
