// An end-to-end test with Playwright: a browser, an app, and `billing mock` in place of the service. Install
// `@playwright/test` and `@billing-service/sdk`, and run `npx playwright test` with Node.js 22.18 or newer.
import { defineConfig } from "@playwright/test";

const mockPort = process.env["MOCK_PORT"] ?? "4010";
const appPort = process.env["APP_PORT"] ?? "4011";

/** The URL of `billing mock`. The tests prepare data with it, and check what arrived. */
export const mockUrl = `http://127.0.0.1:${mockPort}`;

export default defineConfig({
  // These tests share one mock, and each resets it.
  testMatch: "app.spec.ts",
  workers: 1,
  use: { baseURL: `http://127.0.0.1:${appPort}` },
  webServer: [
    {
      command: `npx @billing-service/sdk mock --port ${mockPort} --seed-data seed.json`,
      url: `${mockUrl}/__mock`,
    },
    {
      command: "node app.ts",
      url: `http://127.0.0.1:${appPort}`,
      env: { PORT: appPort, BILLING_URL: mockUrl, BILLING_TOKEN: "app-token" },
    },
  ],
  // Remove this line to use the browser that Playwright installs.
  projects: [{ use: { launchOptions: { executablePath: process.env["CHROMIUM"] } } }],
});
