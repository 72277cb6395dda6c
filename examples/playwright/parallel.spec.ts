import { expect } from "@playwright/test";
import { test } from "./fixtures.ts";

test.beforeEach(async ({ stack, page }) => {
  stack.reset();
  await page.goto("/");
});

for (const name of ["one", "another"]) {
  test(`${name} worker counts only its own call`, async ({ page, stack }) => {
    await page.getByRole("button", { name: "Call" }).click();
    await expect(page.getByRole("status")).toHaveText("1 call reported");
    expect(stack.mock.events.size).toBe(1);
  });
}
