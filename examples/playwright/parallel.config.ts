// The tests in parallel, each worker with its own mock and app. Run `npx playwright test --config parallel.config.ts`.
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testMatch: "parallel.spec.ts",
  fullyParallel: true,
  workers: 2,
  // Remove this line to use the browser that Playwright installs.
  projects: [{ use: { launchOptions: { executablePath: process.env["CHROMIUM"] } } }],
});
