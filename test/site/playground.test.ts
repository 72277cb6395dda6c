import { expect, it } from "vitest";
import { siteVersions } from "../../site/versions.ts";
import { describeInChromium } from "../browser/chromium.ts";
import { announced, click, editor, result, startPlayground } from "./playground-page.ts";

const [current, next, deprecated] = siteVersions().map(({ name }) => name) as [string, string, string];

describeInChromium("the playground", (openPage) => {
  const { open, openPlayground } = startPlayground(openPage);

  it("opens with the request of an operation, and sends it with a token that has only its scopes", async () => {
    const page = await openPlayground({ operation: "webhooks.getEndpoint" });
    expect(await page.locator(".playground-scopes summary").innerText()).toContain("webhooks:read, webhooks:write");
    await click(page, "Send the request");
    await announced(page, "200");
    expect(await result(page).innerText()).toContain("https://shop.example/webhooks");
    expect(await result(page).innerText()).toContain(`service-version\n${current}`);
  });

  it("answers 403 without the scope, 422 for an invalid body, and stores events", async () => {
    const page = await openPlayground({ operation: "events.ingest" });
    await click(page, "Send the request");
    await announced(page, "200");
    expect(await page.getByRole("region", { name: "Stored events" }).innerText()).toContain("call-1");
    await editor(page, "Body").fill('{ "events": [{}] }');
    await click(page, "Send the request");
    await announced(page, "422");
    await page.locator(".playground-scopes summary").click();
    await page.getByRole("checkbox", { name: "events:write" }).uncheck();
    await click(page, "Send the request");
    await announced(page, "403");
    await page.getByLabel("Headers").fill("no colon");
    await click(page, "Send the request");
    await announced(page, 'The request was not sent. Line 1 of the headers must have the form "Name: value"');
  });

  it("makes a release, and shows what it changes for the request", async () => {
    const page = await openPlayground({ operation: "products.list" });
    await click(page, "Make a release");
    await announced(page, `Current is ${next} now.`);
    const rows = await page.getByRole("region", { name: "Changes" }).getByRole("row").allInnerTexts();
    expect(rows.map((row) => row.replaceAll("\t", " | "))).toEqual(
      expect.arrayContaining([
        `none |  | 200, processed by ${current} → 200, processed by ${next}`,
        `${deprecated} | Deprecated → Removed | 200, processed by ${deprecated} → 404`,
        `${current} | Current → Deprecated | 200, processed by ${current}`,
      ]),
    );
    await page.getByLabel("Path").fill("no/slash");
    await click(page, "Make a release");
    await announced(page, 'The release was not made. The path must start with "/"');
    expect(await page.locator(".playground-mock").innerText()).toContain(`Current ${next}`);
    await click(page, "Reset the mock");
    expect(await page.locator(".playground-mock").innerText()).toContain(`Current ${current}`);
  });

  it("emits a webhook, verifies it, and says why a changed delivery is rejected", async () => {
    const page = await openPlayground({ panel: "webhook", event: "order.refunded", data: '{ "id": "ord_7" }' });
    await click(page, "Emit the webhook");
    await click(page, "Verify the delivery");
    await announced(page, "The delivery is verified.");
    expect(await result(page).innerText()).toMatch(/webhook-signature\s+v1,.*"type": "order.refunded"/s);
    for (const [change, reason] of [
      ["Change the body", "signature-mismatch"],
      ["Format the body", "body-changed"],
      ["Make it 10 minutes old", "timestamp-too-old"],
      ["Change the signature", "signature-mismatch"],
    ] as const) {
      await click(page, change);
      await announced(page, `The delivery is rejected: ${reason}.`);
    }
    expect(await result(page).innerText()).toContain("The signature does not match.");
    await click(page, "Restore");
    await announced(page, "The delivery is verified.");
    await page.getByLabel("webhook-timestamp").fill("yesterday");
    await click(page, "Verify the delivery");
    await announced(page, "header-malformed");
    await page.getByLabel("Signature scheme").selectOption("Original scheme");
    await click(page, "Emit the webhook");
    await click(page, "Verify the delivery");
    await announced(page, "The delivery is verified.");
  });

  it("shares its content in a link, which sends and runs nothing by itself", async () => {
    const page = await openPlayground({}, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByLabel("Path").fill("/v1/products/?a=ü&b=%");
    await page.getByRole("combobox", { name: "API version" }).selectOption(next);
    await page.getByRole("tab", { name: "Client code" }).click();
    await editor(page, "Program").fill('document.title = "run";\nconsole.log("a+b #1");');
    await click(page, "Copy link");
    await announced(page, "The link to this content is copied.");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await open(new URL(link).pathname.slice(1) + new URL(link).hash);
    expect(await editor(other, "Program").innerText()).toContain('console.log("a+b #1");');
    expect(await result(other).innerText()).toContain("Run the program to see");
    await other.getByRole("tab", { name: "Request" }).click();
    expect(await other.getByLabel("Path").inputValue()).toBe("/v1/products/?a=ü&b=%");
    expect(await other.getByRole("combobox", { name: "API version" }).inputValue()).toBe(next);
  });

  it("leaves out what is invalid in a link, and says so", async () => {
    const page = await open(`playground/#version=1999-01&panel=x&scopes=events:write+all&operation=a.b`);
    const alert = await page.getByRole("alert").innerText();
    for (const name of ["version", "panel", "scopes", "operation"]) expect(alert).toContain(`"${name}"`);
    expect(await page.getByRole("combobox", { name: "API version" }).inputValue()).toBe(current);
    await page.evaluate(() => {
      location.hash = `code=${"a".repeat(16_000)}`;
    });
    await expect.poll(() => page.getByRole("alert").innerText()).toContain("at most 16000 are read");
  });
});
