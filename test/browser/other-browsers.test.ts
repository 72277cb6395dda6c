import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "../support/local-server.ts";
import { nextRequest } from "../support/next-request.ts";
import { blocksOf } from "../support/pages/blocks.ts";
import { started } from "../support/started-server.ts";
import { CURRENT } from "../support/versions.ts";
import { isProgram } from "./chromium.ts";
import { siteOf } from "./site.ts";

const [calling] = blocksOf("docs/testing.md").filter(({ code }) => code.includes("document.body"));

const verifying = `
  import { signWebhook, verifyWebhook } from "@billing-service/sdk/${CURRENT}/webhooks";
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const delivery = await signWebhook({ type: "order.paid", data: { id: "ord_1" } }, { secret });
  const { type } = await verifyWebhook(delivery, { secret });
  const changed = { ...delivery, body: delivery.body.replace("ord_1", "ord_2") };
  const rejected = await verifyWebhook(changed, { secret }).catch(({ reason }) => reason);
  document.body.textContent = type + ", then " + rejected;
`;

const FIREFOX = ["/usr/bin/firefox-esr", "/usr/bin/firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"];
const firefox = FIREFOX.find(isProgram);
const webKit = ["/usr/bin/WebKitWebDriver"].find(isProgram);

describe.each([
  ["Firefox", firefox, openFirefox],
  ["WebKit", webKit, openWebKit],
] as const)("%s", (name, program, open) => {
  if (!program) console.warn(`Skipped because ${name} was not found.`);

  it.skipIf(!program).each([
    ["the guide's program calls the mock", calling?.code ?? "", "1 call counted"],
    ["verifyWebhook accepts a delivery and rejects a changed one", verifying, "order.paid, then signature-mismatch"],
  ])("%s", async (_, program, shown) => {
    await using site = await siteOf(program);
    await open(site.url);
    await expect.poll(() => site.requested).toContain(`/shows/${encodeURIComponent(shown)}`);
  });

  it.skipIf(!program)("the inspector reads what the mock received", async () => {
    const { url } = await started();
    const read = nextRequest("/__mock/requests");
    await open(`${url}/__mock/`);
    await read;
  });
});

/** Opens a page in a browser that is closed when the test ends. The page reports to its server what it shows. */
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
