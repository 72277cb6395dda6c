import { expect, it } from "vitest";
import { defaultAssumptions } from "../../mock/index.ts";
import { describeInspector } from "./inspected.ts";

const retry = { ...defaultAssumptions.retry, jitter: 0 };
const url = "https://shop.example/hooks";

/** A server whose time is fixed, and whose deliveries fail in a mock of their own receiver. */
const server = { now: "2025-03-01T00:00:00Z", assumptions: { retry } };
const browser = { timezoneId: "UTC" };

describeInspector("the clock", (inspect) => {
  it("shows the time of the mock, and advances it by an amount, or says why it cannot", async () => {
    const { page, mock, announced } = await inspect({ server, browser, tab: "clock" });
    const time = page.getByRole("region", { name: "Time of the mock" });
    await expect.poll(() => time.innerText()).toContain("2025-03-01 00:00:00 UTC");
    await page.getByRole("button", { name: "Advance", exact: true }).click();
    await announced("The time of the mock is now 2025-03-01 00:20:00.");
    expect(mock.clock.now()).toEqual(new Date("2025-03-01T00:20:00Z"));
    await expect.poll(() => time.innerText()).toContain("2025-03-01 00:20:00 UTC");
    await page.getByLabel("Amount").fill("9".repeat(10));
    await page.getByLabel("Amount").press("Enter");
    await announced("clock.advance: the time must not be after 9999-12-31T23:59:59.999000Z.");
    await page.getByLabel("Amount").fill("1.5");
    await page.getByLabel("Unit").selectOption("days");
    await page.getByLabel("Amount").press("Enter");
    await expect.poll(() => time.innerText()).toContain("2025-03-02 12:20:00 UTC");
  });

  it("does not advance the clock a second time while the first is under way, and shows that", async () => {
    const { page, mock, announced } = await inspect({ server, browser, tab: "clock" });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let sent = 0;
    await page.route("**/clock/advance", async (route) => {
      sent += 1;
      await released;
      await route.continue();
    });
    const button = page.getByRole("button", { name: "Advance", exact: true });
    await button.click();
    await expect.poll(() => button.getAttribute("aria-disabled")).toBe("true");
    await page.getByLabel("Amount").press("Enter");
    release();
    await announced("The time of the mock is now 2025-03-01 00:20:00.");
    await expect.poll(() => button.getAttribute("aria-disabled")).toBe("false");
    expect([sent, mock.clock.now()]).toEqual([1, new Date("2025-03-01T00:20:00Z")]);
  });

  it("follows a clock that runs, and one that another program advances or sets back", async () => {
    const { page, mock } = await inspect({ browser, tab: "clock" });
    const shown = () => page.locator(".clock-time time").getAttribute("datetime");
    await expect.poll(shown).not.toBeNull();
    const first = Date.parse(String(await shown()));
    await expect.poll(async () => Date.parse(String(await shown()))).toBeGreaterThan(first);
    await mock.clock.advance({ days: 1 });
    await expect.poll(async () => Date.parse(String(await shown())) - first).toBeGreaterThan(86_400_000);
    mock.reset();
    await expect.poll(async () => Date.parse(String(await shown())) - first).toBeLessThan(3_600_000);
  });

  it("lists pending retries, and advances to the first one", async () => {
    const { page, mock } = await inspect({ server, browser, tab: "clock" });
    const retries = page.getByRole("region", { name: "Pending retries" });
    await retries.getByText("No delivery waits for a retry.").waitFor();
    mock.webhookEndpoints.create({ url, name: "Shop" });
    let status = 500;
    mock.webhooks.receive(url, () => new Response(null, { status }));
    mock.webhooks.emit("order.paid", {});
    await mock.clock.advance({ seconds: 1 });
    mock.webhooks.emit("order.refunded", {});
    await mock.webhooks.idle();
    await expect
      .poll(() => retries.getByRole("row").allInnerTexts())
      .toEqual([
        expect.stringMatching(/Due\s+Event type\s+Endpoint\s+Attempt/),
        expect.stringMatching(/2025-03-01 00:00:02\s+order\.paid\s+Shop\s+2/),
        expect.stringMatching(/2025-03-01 00:00:03\s+order\.refunded\s+Shop\s+2/),
      ]);
    await retries.getByRole("button", { name: "Advance to the first one" }).click();
    await expect.poll(() => retries.getByRole("row").nth(1).innerText()).toMatch(/00:00:03\s+order\.refunded/);
    expect(mock.clock.now()).toEqual(new Date("2025-03-01T00:00:02Z"));
    status = 204;
    await page.getByRole("button", { name: "Advance", exact: true }).click();
    await retries.getByText("No delivery waits for a retry.").waitFor();
  });
});
