import { accessSync, constants } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { describe } from "vitest";

const usual = [
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
export const chromiumPath: string | undefined = placesOf(process.env.CHROMIUM).find(isProgram);

/** If `REQUIRE_BROWSER` is set, a missing browser is a failure. */
const required = process.env.REQUIRE_BROWSER === "1";

/** Starts headless Chromium. */
export function launchChromium(): Promise<Browser> {
  if (!chromiumPath) throw new Error("REQUIRE_BROWSER=1 is set, but Chromium was not found. Set CHROMIUM to its path.");
  return chromium.launch({ executablePath: chromiumPath, args: flags });
}

/** Groups tests that need Chromium. Without it they are skipped, and a warning is printed. */
export function describeInChromium(name: string, tests: () => void): void {
  const skipped = !chromiumPath && !required;
  if (skipped) console.warn(`Skipped because Chromium was not found (set CHROMIUM to its path): ${name}`);
  describe.skipIf(skipped)(name, tests);
}

function placesOf(named: string | undefined): readonly string[] {
  return named === undefined ? usual : [named];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
