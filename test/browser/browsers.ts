import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, vi } from "vitest";
import { freePort } from "../support/local-server.ts";
import { isProgram } from "./chromium.ts";

/** A browser with one page, driven through the protocol that the browser itself speaks. */
export interface DrivenBrowser extends AsyncDisposable {
  open(url: string): Promise<void>;
  /** Runs the body of an async function in the page, and returns the string that it returns. */
  run(body: string): Promise<string>;
}

const FIREFOX = ["/usr/bin/firefox-esr", "/usr/bin/firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"];
const firefox = FIREFOX.find(isProgram);
const webKit = ["/usr/bin/WebKitWebDriver"].find(isProgram);
/** How long a browser may take until it can be driven, in milliseconds. */
const STARTING = { timeout: 60_000, interval: 100 };

/** Groups tests that run in each installed browser other than Chromium. */
export function describeInBrowsers(tests: (start: () => Promise<DrivenBrowser>) => void): void {
  for (const [name, program, start] of [
    ["Firefox", firefox, startFirefox],
    ["WebKit", webKit, startWebKit],
  ] as const) {
    if (!program) console.warn(`Skipped because ${name} was not found.`);
    describe.skipIf(!program)(name, () => tests(start));
  }
}

/** An expression that runs the body of an async function. Its errors become strings, which every protocol passes on. */
function expressionOf(body: string): string {
  return `(async () => {${body}})().catch((error) => "Thrown: " + error)`;
}

/** Firefox speaks WebDriver BiDi over a WebSocket (https://w3c.github.io/webdriver-bidi/). */
async function startFirefox(): Promise<DrivenBrowser> {
  const profile = mkdtempSync(join(tmpdir(), "firefox-"));
  const port = await freePort();
  const program = start(firefox, [
    "--headless",
    "--no-remote",
    `--remote-debugging-port=${port}`,
    "--profile",
    profile,
  ]);
  const connect = () =>
    new Promise<WebSocket>((resolve, reject) => {
      const opening = new WebSocket(`ws://127.0.0.1:${port}/session`);
      opening.onopen = () => resolve(opening);
      opening.onerror = () => reject(new Error("Firefox does not listen."));
    });
  const socket = await vi.waitFor(connect, STARTING);
  let count = 0;
  /** Sends one command at a time. Only its answer follows, because the session subscribes to no event. */
  const send = async <Result>(method: string, params: object): Promise<Result> => {
    const answer = once(socket, "message");
    socket.send(JSON.stringify({ id: ++count, method, params }));
    const [{ data }] = await answer;
    const { type, message, result } = JSON.parse(data);
    if (type !== "success") throw new Error(`${method}: ${message}`);
    return result;
  };
  await send("session.new", { capabilities: {} });
  const { context } = await send<{ context: string }>("browsingContext.create", { type: "tab" });
  return {
    open: (url) => send("browsingContext.navigate", { context, url, wait: "complete" }),
    run: async (body) => {
      const params = { expression: expressionOf(body), target: { context }, awaitPromise: true };
      return (await send<{ result: { value: string } }>("script.evaluate", params)).result.value;
    },
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await stop(program);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** WebKitGTK speaks WebDriver over HTTP (https://w3c.github.io/webdriver/), and needs a display. */
async function startWebKit(): Promise<DrivenBrowser> {
  const port = await freePort();
  const command = [`${webKit}`, `--port=${port}`];
  const program = process.env["DISPLAY"] ? start(command[0], command.slice(1)) : start("xvfb-run", ["-a", ...command]);
  const send = async <Value>(path: string, body?: object): Promise<Value> => {
    const init = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const { value } = (await response.json()) as { value: Value & { message?: string } };
    if (!response.ok) throw new Error(`${path}: ${value.message}`);
    return value;
  };
  await vi.waitFor(() => send("/status"), STARTING);
  const { sessionId } = await send<{ sessionId: string }>("/session", { capabilities: {} });
  return {
    open: (url) => send(`/session/${sessionId}/url`, { url }),
    run: (body) =>
      send(`/session/${sessionId}/execute/async`, { script: `${expressionOf(body)}.then(arguments[0])`, args: [] }),
    [Symbol.asyncDispose]: async () => {
      await fetch(`http://127.0.0.1:${port}/session/${sessionId}`, { method: "DELETE" }).catch(() => {});
      await stop(program);
    },
  };
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
