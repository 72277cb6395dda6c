import { request } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../../mock/server.ts";
import { describeInspector } from "./inspected.ts";

const event = { name: "api.call", external_customer_id: "acme" };

describeInspector("access", (inspect) => {
  it("asks for the password, stores it for the browser tab, and shows no data without it", async () => {
    const { page, billing, server } = await inspect({ server: { control: { password: "päss wörd" } } });
    await billing.events.ingest([event]);
    const field = page.getByLabel("Control API password");
    await field.fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("Wrong password. Try again.").waitFor();
    expect(await page.locator("#app").innerHTML()).not.toMatch(/events:ingest|2025-01/);
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

  it("sends no requests while the page is hidden", async () => {
    const { page, billing, requested, logged } = await inspect();
    await page.getByText("Live").waitFor();
    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { configurable: true, value });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    await hide(true);
    await page.getByText("Paused").waitFor();
    const { length } = requested;
    await billing.events.ingest([event]);
    await page.waitForTimeout(500);
    expect(requested.length).toBe(length);
    await hide(false);
    await page.getByText("Live").waitFor();
    await page.getByRole("row", { name: "events:ingest" }).waitFor();
    expect(logged).toEqual([]);
  });

  it("sends at most one request in 1.5 seconds while nothing changes", async () => {
    const { page, requested } = await inspect();
    await page.getByText("Live").waitFor();
    const sent = async () => {
      const { length } = requested;
      await page.waitForTimeout(1500);
      return requested.length - length;
    };
    // At first, the page reads what the test changed when it opened it.
    await expect.poll(sent).toBeLessThanOrEqual(1);
  });

  it("loads nothing from other hosts, and cannot", async () => {
    const { page, requested, server, show } = await inspect();
    for (const tab of ["Webhooks", "Endpoints", "Usage", "Versions", "Faults"]) await show(tab);
    const elsewhere = requested.filter((url) => !url.startsWith(`${server.url}/__mock/`) && !url.startsWith("data:"));
    expect(elsewhere).toEqual([]);
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
  });

  it("serves the page to browsers and the list of routes to programs, and no data without the password", async () => {
    const { server, mock } = await inspect({ server: { control: { password: "secret" } } });
    const get = (path: string, headers: Record<string, string> = {}) => getRaw(`${server.url}${path}`, headers);
    expect((await get("/__mock", { Accept: "text/html" })).type).toBe("text/html; charset=utf-8");
    expect((await get("/__mock/?x", { Accept: "text/html", "Sec-Fetch-Site": "cross-site" })).status).toBe(200);
    expect((await get("/__mock/")).status).toBe(401);
    expect((await get("/__mock/", { Authorization: "Bearer secret" })).body).toContain("/__mock/requests");
    for (const path of ["/__mock/requests", "/__mock//", "/__mock/./", "/__mock/%2e", "/__mock/?/../requests"]) {
      const { status, body } = await get(path, { Accept: "text/html" });
      expect([path, status === 401 || body.startsWith("<!doctype html>")]).toEqual([path, true]);
    }
    expect(mock.requests.count).toBe(0);
  });

  it("is not served when the control API is disabled", async () => {
    const server = await startServer({ control: false });
    onTestFinished(() => server.close());
    expect((await getRaw(`${server.url}/__mock/`, { Accept: "text/html" })).status).toBe(404);
  });
});

interface RawResponse {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

/** Sends a request without normalizing the path, as `fetch` would. */
function getRaw(url: string, headers: Record<string, string>): Promise<RawResponse> {
  const { hostname, port, origin } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path: url.slice(origin.length), headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => resolve({ status: response.statusCode, type: response.headers["content-type"], body }));
    })
      .on("error", reject)
      .end();
  });
}
