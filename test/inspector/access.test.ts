import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../../mock/server.ts";
import { exchange, requestText } from "../support/raw-socket.ts";
import { describeInspector } from "./inspected.ts";

const hostile = `<img src=x onerror="window.owned=true"><script>window.owned=true</script>`;
const event = { name: "api.call", external_customer_id: "acme" };

describeInspector("access", (inspect) => {
  it("lets the browser ask for the password, and shows no data without it", async () => {
    const server = { control: { password: "päss wörd" } };
    const httpCredentials = { username: "", password: "päss wörd" };
    const { page, billing, row } = await inspect({ server, browser: { httpCredentials } });
    await billing.events.ingest([event]);
    await row("events:ingest").waitFor();
    const other = await inspect({ server });
    await other.page.getByRole("alert").getByText("The control API requires a password.").waitFor();
    expect(await other.page.locator("#app").innerHTML()).not.toMatch(/billing_oat|<ul/);
    expect(await page.evaluate(() => [sessionStorage.length, localStorage.length])).toEqual([0, 0]);
  });

  it("reports a server that stops, and follows it when it starts again", async () => {
    const { page, billing, server, row } = await inspect();
    await billing.events.ingest([event]);
    await row("events:ingest").waitFor();
    await server.close();
    await page.getByRole("alert").getByText("Cannot reach the mock server.").waitFor();
    const again = await startServer({ port: server.port });
    onTestFinished(() => again.close());
    await page.getByText("No requests yet").waitFor();
    await again.mock.fetch(`${again.mock.baseUrls[0]}/v1/products/`);
    await row("/v1/products/").waitFor();
  });

  it("has a policy that allows no other hosts, scripts or styles", async () => {
    const { server } = await inspect();
    const response = await fetch(`${server.url}/__mock/`, { headers: { Accept: "text/html" } });
    const policy = response.headers.get("content-security-policy");
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  });

  it("shows markup in names, paths, bodies and responses as text", async () => {
    const { page, mock, billing, server, requested, details } = await inspect();
    mock.webhooks.receive(mock.webhookEndpoints.create({ name: hostile }).url, () => new Response(hostile));
    const [emitted] = mock.webhooks.emit("order.paid", { text: hostile });
    await mock.webhooks.idle();
    await billing.events.ingest([{ name: hostile, external_customer_id: hostile, metadata: { [hostile]: hostile } }]);
    await fetch(`${server.url}/v1/${hostile}?${hostile}`, { method: "POST", body: hostile });
    for (const place of ["requests/1", "requests/2", `webhooks/${emitted?.id}`, "control/GET%20%2F__mock%2Frequests"]) {
      await page.goto(`${server.url}/__mock/#${place}`);
      if (place.startsWith("control")) await page.getByRole("button", { name: "Send" }).click();
      await expect.poll(() => details.innerText()).toContain("onerror=");
      expect(await page.locator("#app img, #app script, #app [onerror]").count()).toBe(0);
    }
    expect(await page.evaluate(() => "owned" in window)).toBe(false);
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
    for (const path of ["/__mock/requests", "/__mock//", "/__mock/./"])
      expect([path, await get(path, { Accept: "text/html" })]).toEqual([path, expect.stringMatching(locked)]);
    expect(mock.requests.count).toBe(0);
  });
});
