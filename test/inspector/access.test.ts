import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../../mock/server.ts";
import { exchange, requestText } from "../support/raw-socket.ts";
import { describeInspector } from "./inspected.ts";

const hostile = `<img src=x onerror="window.owned=true"><script>window.owned=true</script>`;
const event = { name: "api.call", external_customer_id: "acme" };

describeInspector("access", (inspect) => {
  it("asks for the password, stores it for the browser tab, and shows no data without it", async () => {
    const { page, billing, server } = await inspect({ server: { control: { password: "päss wörd" } } });
    await billing.events.ingest([event]);
    const field = page.getByLabel("Control API password");
    await field.fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("Wrong password. Try again.").waitFor();
    expect(await page.locator("#app").innerHTML()).not.toMatch(/events:ingest|\d{4}-\d\d/);
    await field.fill("päss wörd");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: "events:ingest" }).waitFor();
    await page.reload();
    await page.getByRole("row", { name: "events:ingest" }).waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByText("No requests yet").waitFor();
    const storage = await page.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie]);
    expect(storage).toEqual([1, 0, ""]);
    const other = await page.context().newPage();
    await other.goto(`${server.url}/__mock/`);
    await other.getByLabel("Control API password").waitFor();
  });

  it("reports a server that stops, and reconnects when it starts again", async () => {
    const { page, billing, server, announced } = await inspect();
    await billing.events.ingest([event]);
    await page.getByRole("row", { name: "events:ingest" }).waitFor();
    await server.close();
    await page.getByText("Cannot reach the mock server.").waitFor();
    await page.getByText("Disconnected").waitFor();
    const again = await startServer({ port: server.port });
    onTestFinished(() => again.close());
    await announced("Reconnected to the mock server.");
    await page.getByText("No requests yet").waitFor();
    await again.mock.fetch(`${again.mock.baseUrls[0]}/v1/products/`);
    await page.getByRole("row", { name: "products:list" }).waitFor();
  });

  it("sends at most one request in 1.5 seconds while nothing changes", async () => {
    const { page, requested } = await inspect();
    await page.getByText("Live").waitFor();
    const sent = async () => {
      const before = requested.length;
      await page.waitForTimeout(1500);
      return requested.length - before;
    };
    // At first, the page reads what the test changed.
    await expect.poll(sent).toBeLessThanOrEqual(1);
  });

  it("cannot load anything from other hosts", async () => {
    const { page, logged, server } = await inspect();
    const policy = (await fetch(`${server.url}/__mock/`, { headers: { Accept: "text/html" } })).headers.get(
      "content-security-policy",
    );
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    const blocked = await page.evaluate(async () => {
      const element = document.createElement("div");
      try {
        element.innerHTML = "<b>text</b>";
        return false;
      } catch {
        return fetch("http://127.0.0.1:9/").then(
          () => false,
          () => true,
        );
      }
    });
    expect(blocked).toBe(true);
    expect(logged.splice(0).join()).toMatch(/TrustedHTML.*Content Security Policy/);
  });

  it("shows markup in names, paths, bodies and responses as text, and loads nothing from other hosts", async () => {
    const { page, mock, billing, server, requested, show } = await inspect();
    mock.organizations.create({ name: hostile });
    mock.webhooks.receive(mock.webhookEndpoints.create({ name: hostile }).url, () => new Response(hostile));
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
      await page.locator(".grid tbody tr").nth(row).click();
      await page.locator(".detail .code").first().waitFor();
      await expect.poll(() => page.locator(".detail").innerText()).toContain("onerror=");
      await expectInert();
    }
    for (const tab of ["Webhooks", "Endpoints", "Usage", "Versions", "Faults"]) {
      await show(tab);
      if (tab === "Webhooks") await page.getByRole("row", { name: "order.paid" }).click();
      if (tab === "Usage") await page.getByLabel("Show").selectOption(hostile);
      if (["Webhooks", "Endpoints", "Usage"].includes(tab)) {
        await expect.poll(() => page.getByRole("main").innerText()).toContain("<img src=x onerror=");
      }
      await expectInert();
    }
    expect(requested.filter((address) => !address.startsWith(`${server.url}/__mock`))).toEqual([]);
  });

  it("serves the page to browsers and the list of routes to programs, and no data without the password", async () => {
    const { server, mock } = await inspect({ server: { control: { password: "secret" } } });
    const get = async (path: string, headers: Record<string, string> = {}) =>
      (await exchange(server.url, requestText(`GET ${path}`, { ...headers, Connection: "close" }))).text;
    const page = /^HTTP\/1.1 200 [\s\S]*Content-Type: text\/html; charset=utf-8\r\n[\s\S]*<!doctype html>/i;
    const locked = /^HTTP\/1.1 401 /;
    expect(await get("/__mock", { Accept: "text/html" })).toMatch(page);
    expect(await get("/__mock/?x", { Accept: "text/html", "Sec-Fetch-Site": "cross-site" })).toMatch(page);
    expect(await get("/__mock/")).toMatch(locked);
    expect(await get("/__mock/", { Authorization: "Bearer secret" })).toContain("/__mock/requests");
    for (const path of ["/__mock/requests", "/__mock//", "/__mock/./", "/__mock/%2e", "/__mock/?/../requests"]) {
      const text = await get(path, { Accept: "text/html" });
      expect([path, locked.test(text) || page.test(text)]).toEqual([path, true]);
    }
    expect(mock.requests.count).toBe(0);
  });
});
