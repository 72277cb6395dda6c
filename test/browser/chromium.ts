import { accessSync, constants } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { describe, vi } from "vitest";

const usual = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** No request leaves the machine: every host but this one is unknown. */
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

/** Where Chromium is installed; undefined where it is not. `CHROMIUM` names another place. */
export const chromiumPath: string | undefined = placesOf(process.env.CHROMIUM).find(isProgram);

/** Where `REQUIRE_BROWSER` is set, a missing browser is a failure. */
const required = process.env.REQUIRE_BROWSER === "1";

/** Starts Chromium without a window. */
export function launchChromium(): Promise<Browser> {
  if (!chromiumPath) throw new Error("There is no Chromium, and REQUIRE_BROWSER=1 asks for one.");
  return chromium.launch({ executablePath: chromiumPath, args: flags });
}

/** Tests that need Chromium. Where there is none they are skipped, and a line says so. A page may take its time. */
export function describeInChromium(name: string, tests: () => void): void {
  vi.setConfig({ expect: { poll: { timeout: 10_000 } } });
  const skipped = !chromiumPath && !required;
  if (skipped) console.warn(`Skipped, there is no Chromium (set CHROMIUM to its path): ${name}`);
  describe.skipIf(skipped)(name, { timeout: 30_000 }, tests);
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
