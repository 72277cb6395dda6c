// A `test` for parallel workers: each worker starts a mock, and an app that calls it.
import { spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import type { Mock } from "@billing-service/sdk/mock";
import { startServer } from "@billing-service/sdk/mock/server";
import { test as base } from "@playwright/test";

interface Stack {
  readonly mock: Mock;
  /** Restores the state in which the worker started, with the app's token. */
  readonly reset: () => void;
  readonly appUrl: string;
}

export const test = base.extend<object, { stack: Stack }>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are needed: none.
    async ({}, use, { workerIndex }) => {
      const { mock, url, close } = await startServer();
      const token = mock.issueToken();
      mock.checkpoint();
      const port = String(Number(process.env["APP_PORT"] ?? "4100") + workerIndex);
      const env = { ...process.env, PORT: port, BILLING_URL: url, BILLING_TOKEN: token };
      const app = spawn("node", ["app.ts"], { env });
      const appUrl = `http://127.0.0.1:${port}`;
      while (!(await fetch(appUrl).catch(() => undefined))) await setTimeout(100);
      await use({ mock, reset: () => mock.reset(), appUrl });
      app.kill();
      await close();
    },
    { scope: "worker" },
  ],
  baseURL: ({ stack }, use) => use(stack.appUrl),
});
