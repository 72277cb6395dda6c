import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, onTestFinished, vi } from "vitest";
import { freePort } from "../support/local-server.ts";
import { isProgram } from "./chromium.ts";

/** Opens a page in a browser of its own, which is closed when the test ends. The page reports to its server what it shows. */
type OpenBrowser = (url: string) => Promise<void>;

const FIREFOX = ["/usr/bin/firefox-esr", "/usr/bin/firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"];
const firefox = FIREFOX.find(isProgram);
const webKit = ["/usr/bin/WebKitWebDriver"].find(isProgram);

/** Groups tests that run in each installed browser other than Chromium. */
export function describeInBrowsers(tests: (open: OpenBrowser) => void): void {
  for (const [name, program, open] of [
    ["Firefox", firefox, openFirefox],
    ["WebKit", webKit, openWebKit],
  ] as const) {
    if (!program) console.warn(`Skipped because ${name} was not found.`);
    describe.skipIf(!program)(name, () => tests(open));
  }
}

async function openFirefox(url: string): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), "firefox-"));
  const program = start(firefox, ["--headless", "--no-remote", "--profile", profile, url]);
  onTestFinished(async () => {
    await stop(program);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
}

/** WebKitGTK speaks WebDriver over HTTP (https://w3c.github.io/webdriver/), and needs a display. */
async function openWebKit(url: string): Promise<void> {
  const port = await freePort();
  const command = [`${webKit}`, `--port=${port}`];
  const program = process.env["DISPLAY"] ? start(command[0], command.slice(1)) : start("xvfb-run", ["-a", ...command]);
  onTestFinished(() => stop(program));
  const post = async (path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body: JSON.stringify(body) });
    const { value } = (await response.json()) as { value: { sessionId: string; message: string } | null };
    if (!response.ok) throw new Error(`${path}: ${value?.message}`);
    return value;
  };
  const session = await vi.waitFor(() => post("/session", { capabilities: {} }), { timeout: 60_000, interval: 100 });
  await post(`/session/${session?.sessionId}/url`, { url });
}

/** Starts a program in its own process group, which ends with the program. */
function start(program: string | undefined, options: readonly string[]): ChildProcess {
  return spawn(`${program}`, options, { detached: true, stdio: "ignore" });
}

async function stop(program: ChildProcess): Promise<void> {
  const ended = once(program, "exit");
  if (program.exitCode !== null || program.pid === undefined) return;
  process.kill(-program.pid, "SIGTERM");
  await ended;
}
