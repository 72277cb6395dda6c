import { request } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../../mock/server.ts";
import { describeInspector } from "./inspected.ts";

const event = { name: "api.call", external_customer_id: "acme" };

describeInspector("who may look, and when", (inspect) => {
  it("asks for the password, keeps it for the browser tab, and shows nothing without it", async () => {
    const { page, billing, server } = await inspect({ server: { control: { password: "päss wörd" } } });
    await billing.events.ingest([event]);
    const field = page.getByLabel("Password of the control interface");
    await field.fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("That is not the password.").waitFor();
    expect(await page.locator("#app").innerHTML()).not.toMatch(/events:ingest|2025-01/);
    await field.fill("päss wörd");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: "events:ingest" }).waitFor();
    await page.reload();
    await page.getByRole("row", { name: "events:ingest" }).waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByText("No requests yet").waitFor();
    const kept = await page.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie]);
    expect(kept).toEqual([1, 0, ""]);
    const other = await page.context().newPage();
    await other.goto(`${server.url}/__mock/`);
    await other.getByLabel("Password of the control interface").waitFor();
  });

  it("says so when the server goes away, and goes on when it is back", async () => {
    const { page, billing, server, heard } = await inspect();
    await billing.events.ingest([event]);
    await page.getByRole("row", { name: "events:ingest" }).waitFor();
    await server.close();
    await page.getByText("The mock server does not answer.").waitFor();
    await page.getByText("Server gone").waitFor();
    const again = await startServer({ port: server.port });
    onTestFinished(() => again.close());
    await heard("The server is back.");
    await page.getByText("No requests yet").waitFor();
    await again.mock.fetch(`${again.mock.baseUrls[0]}/v1/products/`);
    await page.getByRole("row", { name: "products:list" }).waitFor();
  });

  it("asks nothing while nobody can see it", async () => {
    const { page, billing, asked, spoken } = await inspect();
    await page.getByText("Live").waitFor();
    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { configurable: true, value });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    await hide(true);
    await page.getByText("Paused").waitFor();
    const { length } = asked;
    await billing.events.ingest([event]);
    await page.waitForTimeout(500);
    expect(asked.length).toBe(length);
    await hide(false);
    await page.getByText("Live").waitFor();
    await page.getByRole("row", { name: "events:ingest" }).waitFor();
    expect(spoken).toEqual([]);
  });

  it("asks the server seldom while nothing happens", async () => {
    const { page, asked } = await inspect();
    await page.getByText("Live").waitFor();
    await page.waitForTimeout(300);
    const { length } = asked;
    await page.waitForTimeout(1500);
    expect(asked.length - length).toBeLessThanOrEqual(1);
  });

  it("loads nothing besides itself, and could not", async () => {
    const { page, asked, server, show } = await inspect();
    for (const tab of ["Webhooks", "Endpoints", "Usage", "Versions", "Faults"]) await show(tab);
    const elsewhere = asked.filter((url) => !url.startsWith(`${server.url}/__mock/`) && !url.startsWith("data:"));
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

  it("is a page for browsers; a program gets the list of routes, and never data without the password", async () => {
    const { server, mock } = await inspect({ server: { control: { password: "secret" } } });
    const get = (path: string, headers: Record<string, string> = {}) => ask(`${server.url}${path}`, headers);
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

  it("is not there where the control interface is switched off", async () => {
    const server = await startServer({ control: false });
    onTestFinished(() => server.close());
    expect((await ask(`${server.url}/__mock/`, { Accept: "text/html" })).status).toBe(404);
  });
});

interface Got {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

/** Asks with the path as it stands: `fetch` would tidy it up. */
function ask(url: string, headers: Record<string, string>): Promise<Got> {
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
