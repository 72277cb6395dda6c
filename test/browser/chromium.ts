import { accessSync, constants } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { beforeAll, describe, onTestFinished } from "vitest";

const usual = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Blocks requests to other machines: every other host is unknown. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
];

/** The path of Chromium; undefined if it is not installed. `CHROMIUM` overrides it. */
export const chromiumPath: string | undefined = [process.env.CHROMIUM ?? usual].flat().find(isProgram);

/** Opens a page in a context of its own, which is closed when the test ends. */
export type OpenPage = (options?: BrowserContextOptions) => Promise<Page>;

/** Chromium, for all test files that a worker runs. It ends with the worker. */
let browser: Promise<Browser> | undefined;

/** Groups tests that need Chromium. Without it they are skipped with a warning, or fail if `REQUIRE_BROWSER` is 1. */
export function describeInChromium(name: string, tests: (openPage: OpenPage) => void): void {
  const isSkipped = !chromiumPath && process.env["REQUIRE_BROWSER"] !== "1";
  if (isSkipped) console.warn(`Skipped because Chromium was not found (set CHROMIUM to its path): ${name}`);
  describe.skipIf(isSkipped)(name, () => {
    // Starting it may take longer than a test has.
    beforeAll(async () => {
      if (!(await browser)?.isConnected())
        browser = chromium.launch({ executablePath: chromiumPath as string, args: flags });
      await browser;
    });
    tests(async (options = {}) => {
      const context = await (await browser)!.newContext(options);
      onTestFinished(() => context.close());
      return context.newPage();
    });
  });
}

/** Returns whether a path is an executable file. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
