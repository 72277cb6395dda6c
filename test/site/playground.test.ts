import { expect, it } from "vitest";
import { siteVersions } from "../../site/versions.ts";
import { describeInChromium } from "../browser/chromium.ts";
import { click, editor, result, select, shows, startPlayground } from "./playground-page.ts";

const [current, next, deprecated] = siteVersions().map(({ name }) => name) as [string, string, string];
const created = "2025-07";

describeInChromium("the playground", (openPage) => {
  const { open, openPlayground } = startPlayground(openPage);

  it("shows the whole request and the result beside it without scrolling, and sends with Ctrl+Enter", async () => {
    const page = await openPlayground();
    const boxOf = async (locator: ReturnType<typeof result>) => {
      const box = await locator.boundingBox();
      return box ?? expect.fail("not visible");
    };
    for (const each of [select(page, "Method"), editor(page, "Path"), page.getByRole("button", { name: "Send" })])
      expect((await boxOf(each)).y).toBeLessThan(250);
    await shows(page, /200[\s\S]*"inserted": 1/);
    await editor(page, "Body").press("ControlOrMeta+Enter");
    await shows(page, /200\s[\s\S]*0 events stored, 1 duplicate skipped/);
    const [body, pane] = [await boxOf(editor(page, "Body")), await boxOf(result(page))];
    expect(pane.x).toBeGreaterThan(body.x + body.width);
    expect(pane.y + pane.height).toBeLessThanOrEqual(900);
    await expect.poll(() => editor(page, "Body").innerText()).toMatch(/^\{[\s\S]*\}$/);
    await expect.poll(() => page.getByRole("button", { name: "Stored events: 1" }).isVisible()).toBe(true);
  });

  it.each([
    ["403", /403[\s\S]*It has only products:read\. events\.ingest requires events:write/],
    ["Duplicate", /200[\s\S]*2 events stored, 1 duplicate skipped/],
  ])("shows the preset %s with one click", async (preset, expected) => {
    const page = await openPlayground();
    await click(page, preset);
    await shows(page, expected);
  });

  it("goes back to the last tab and preset, and keeps what was edited", async () => {
    const page = await openPlayground();
    await page.getByRole("tab", { name: "Code" }).click();
    await expect.poll(() => page.url()).toContain("panel=code");
    await editor(page, "Program").fill("// mine");
    await expect.poll(() => page.url()).toContain("code=");
    await page.goBack();
    await shows(page, /^200/);
    await click(page, "403");
    await expect.poll(() => page.url()).toContain("preset=403");
    await click(page, "422");
    await expect.poll(() => page.url()).toContain("preset=422");
    await page.goBack();
    await expect.poll(() => select(page, "Scopes").inputValue()).toBe("products:read");
    await page.goBack();
    await page.getByRole("button", { name: "403", pressed: false }).waitFor();
    await page.goForward();
    await page.getByRole("button", { name: "403", pressed: true }).waitFor();
    await page.getByRole("tab", { name: "Code" }).click();
    await expect.poll(() => editor(page, "Program").innerText()).toBe("// mine");
  });

  it("names the request of a response, says when it was changed, and forgets it after a reset", async () => {
    const page = await openPlayground();
    await click(page, "Send");
    await shows(page, /^200\s+POST \/v1\/events\/ingest\s+processed by/);
    await select(page, "Version").selectOption(next);
    await shows(page, /^You have changed the request[\s\S]*200/);
    await page.getByRole("tab", { name: "Webhook" }).click();
    expect(await page.locator(".pg [role=status]").innerText()).not.toContain("200");
    await page.getByRole("tab", { name: "Request" }).click();
    await click(page, "Reset");
    await shows(page, /^Press Send/);
  });

  it("leaves the preset of a release with a reset, also in the program, and keeps what the reader edited", async () => {
    const page = await openPlayground();
    await editor(page, "Headers").fill("X-Mine: 1");
    await click(page, "Breaking release");
    await click(page, "Replace");
    await shows(page, `processed by ${created}`);
    await editor(page, "Headers").fill("X-Mine: 2");
    await click(page, "Reset");
    await page.getByRole("button", { name: "Breaking release", pressed: false }).waitFor();
    await expect.poll(() => select(page, "Version").inputValue()).toBe(current);
    expect(await editor(page, "Body").innerText()).toContain("api.call");
    expect(await editor(page, "Headers").inputValue()).toBe("X-Mine: 2");
    await page.getByRole("tab", { name: "Code" }).click();
    await click(page, "Run");
    await shows(page, "inserted: 1");
  });

  it("suggests the path of an operation for one without its slash", async () => {
    const page = await openPlayground({ operation: "products.list", path: "/v1/products?limit=5" });
    await click(page, "Send");
    await shows(page, /^404[\s\S]*No operation has this path\.\s+Did you mean \/v1\/products\/\?/);
    await click(page, "Use /v1/products/");
    await click(page, "Send");
    await shows(page, /^200\s+GET \/v1\/products\/\?limit=5/);
  });

  it("says when a reload would lose an edit, and does not copy a link that is too long", async () => {
    const page = await openPlayground({ panel: "code" }, { permissions: ["clipboard-read", "clipboard-write"] });
    await editor(page, "Program").fill(`// ${"é".repeat(64_000)}`);
    const status = () => page.locator(".pg [role=status]").innerText();
    await expect.poll(status).toContain("a reload loses your last edits");
    await click(page, "Copy link");
    await expect.poll(status).toMatch(/The link was not copied: .* maximum is 64000/);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("");
  });

  it("never shows an error beside an older response, and blocks requests to another host", async () => {
    const page = await openPlayground();
    await click(page, "Send");
    await shows(page, "200");
    await editor(page, "Headers").fill("no colon");
    await click(page, "Send");
    await shows(page, /^The request was not sent\.\s+Line 1 of the headers must have the form "Name: value"/);
    await editor(page, "Headers").fill("");
    await editor(page, "Path").fill("https://api.example.org/v1/products/");
    await click(page, "Send");
    await shows(page, /^The request was not sent\.\s+The request to api\.example\.org was blocked/);
    await click(page, "Expired token");
    await click(page, "Replace");
    await shows(page, /^401/);
  });

  it("keeps its content over a reload, and sends and runs nothing that was edited by itself", async () => {
    const page = await openPlayground({ operation: "products.list" }, { permissions: ["clipboard-write"] });
    await editor(page, "Path").fill("/v1/products/?a=ü&b=%");
    await select(page, "Version").selectOption(next);
    await page.getByRole("tab", { name: "Code" }).click();
    await editor(page, "Program").fill('document.title = "run";\nconsole.log("a+b #1");');
    await expect.poll(() => page.url()).toContain("code=%7E");
    await page.reload();
    await page.locator(".pg").waitFor();
    await expect.poll(() => editor(page, "Program").innerText()).toContain('console.log("a+b #1");');
    await expect.poll(() => result(page).innerText()).toContain("Press Run");
    await expect.poll(() => select(page, "Example").locator("option:checked").innerText()).toBe("Custom");
    await page.getByRole("tab", { name: "Request" }).click();
    await expect.poll(() => editor(page, "Path").inputValue()).toBe("/v1/products/?a=ü&b=%");
    await expect.poll(() => result(page).innerText()).toContain("Press Send");
    await expect.poll(() => page.getByRole("combobox", { name: "Version" }).inputValue()).toBe(next);
    await click(page, "Copy link");
    await expect.poll(() => page.locator(".pg [role=status]").innerText()).toContain("is copied");
  });

  it("asks before an example or a link replaces edited code", async () => {
    const page = await openPlayground({ panel: "code" });
    await select(page, "Example").selectOption("products.list");
    await expect.poll(() => editor(page, "Program").innerText()).toContain("billing.products.list");
    await editor(page, "Program").fill("// mine");
    await select(page, "Example").selectOption("events.ingest");
    await click(page, "Keep mine");
    await expect.poll(() => editor(page, "Program").innerText()).toBe("// mine");
    await page.evaluate(() => {
      location.hash = "panel=code&operation=events.ingest";
    });
    await page.getByRole("dialog").getByText("The link replaces what you edited: code.").waitFor();
    await click(page, "Keep mine");
    await expect.poll(() => page.url()).toContain("code=");
    await page.reload();
    await select(page, "Example").selectOption("events.ingest");
    await click(page, "Replace");
    await expect.poll(() => editor(page, "Program").innerText()).toContain("billing.events.ingest");
  });

  it("uses the defaults for what is invalid in a link, and says so", async () => {
    const page = await open("playground/#version=1999-01&panel=x&scopes=events:write+all&operation=a.b&code=~%");
    await page.locator(".pg").waitFor();
    for (const name of ["version", "panel", "scopes", "operation", "code"]) await shows(page, `"${name}"`);
    await expect.poll(() => select(page, "Version").inputValue()).toBe(current);
    await click(page, "Send");
    await shows(page, /^200/);
    await page.evaluate(() => {
      location.hash = `code=${"a".repeat(64_000)}`;
    });
    await shows(page, /^Parts of the link were ignored\.\s+The link has 64005 characters; the maximum is 64000/);
  });

  it("makes a release that a reload keeps, explains a removed version, and offers Current", async () => {
    const page = await openPlayground({ version: deprecated });
    await click(page, "Simulate the next release");
    const rows = async () => {
      const texts = await page.locator("#pg-release").getByRole("row").allInnerTexts();
      return texts.map((text) => text.replaceAll(/\s+/g, " "));
    };
    await expect
      .poll(rows)
      .toEqual([
        "Service-Version State Before After",
        "none 200 200",
        `${created} new → Next 404 422`,
        `${next} Next → Current 200 200`,
        `${current} Current → Deprecated 200 200`,
        `${deprecated} Deprecated → Removed 200 404`,
      ]);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.url()).toContain("releases=1");
    await page.reload();
    await click(page, "Send");
    await shows(page, new RegExp(`${deprecated} was removed by a release\\.\\s+It supports`));
    await click(page, `Use ${next}, which is Current`);
    await click(page, "Send");
    await shows(page, new RegExp(`^200[\\s\\S]*processed by ${next}`));
  });

  it("emits data that fits the type, verifies the delivery, and says why a changed one is rejected", async () => {
    const page = await openPlayground({ panel: "webhook" });
    await select(page, "Event").selectOption("subscription.canceled");
    await click(page, "Emit");
    await shows(page, /Verified\.[\s\S]*"product_id":"product_1"[\s\S]*"cancel_at_period_end":true/);
    for (const [change, reason] of [
      ["Change the body", "signature-mismatch"],
      ["Format the body", "body-changed"],
      ["Make it 10 minutes old", "timestamp-too-old"],
      ["Change the signature", "signature-mismatch"],
    ] as const) {
      await click(page, change);
      await shows(page, `Rejected: ${reason}.`);
      if (reason === "body-changed") await shows(page, /"product_id": "product_1"/);
    }
    await expect.poll(() => page.getByRole("combobox", { name: "Token" }).isVisible()).toBe(false);
    await click(page, "Restore");
    await shows(page, "Verified.");
    await editor(page, "Data").fill("{");
    await click(page, "Emit");
    await shows(page, /^No event was emitted\.\s+The data must be JSON/);
  });

  it("shows the result on a phone after Send", async () => {
    const page = await openPlayground({}, { viewport: { width: 390, height: 844 } });
    await click(page, "Send");
    await shows(page, "200");
    await expect.poll(async () => (await result(page).boundingBox())?.y).toBeLessThan(600);
  });

  it("opens with the request of an operation's page", async () => {
    const page = await open(`reference/${current}/operations/webhooks-getEndpoint.html`);
    await page.getByRole("link", { name: "Open in the playground" }).first().click();
    await click(page, "Send");
    await shows(page, /^200[\s\S]*https:\/\/shop\.example\/webhooks/);
  });
});
