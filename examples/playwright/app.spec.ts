import { connectMock } from "@billing-service/sdk/mock/connect";
import { expect, test } from "@playwright/test";
import { mockUrl } from "./playwright.config.ts";

const mock = connectMock(mockUrl);

test.beforeEach(async ({ page }) => {
  await mock.reset();
  await page.goto("/");
});

test("reports a call", async ({ page }) => {
  await page.getByRole("button", { name: "Call" }).click();
  await expect(page.getByRole("status")).toHaveText("1 call reported");
  expect(await mock.events.list()).toMatchObject([{ name: "api.call" }]);
});

test("asks to try again later if the service is unavailable", async ({ page }) => {
  await mock.fault({ operation: "events:ingest", status: 503 });
  await page.getByRole("button", { name: "Call" }).click();
  await expect(page.getByRole("status")).toHaveText("Please try again later");
  expect(await mock.events.size).toBe(0);
});
