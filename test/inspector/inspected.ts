import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { type MockServer, type ServerOptions, startServer } from "../../mock/server.ts";
import { createClient } from "../../versions/2025-01/index.ts";
import { describeInChromium, launchChromium } from "../browser/chromium.ts";

/** A mock on a server of its own, and its inspector in a browser. */
export interface Inspected {
  readonly server: MockServer;
  readonly mock: MockServer["mock"];
  readonly page: Page;
  /** A client of the mock that repeats nothing. */
  readonly billing: ReturnType<typeof createClient>;
  /** What the page said on its console, errors that nobody caught among them. */
  readonly spoken: readonly string[];
  /** The addresses that the page asked for something. */
  readonly asked: readonly string[];
  /** Shows a tab. */
  readonly show: (tab: string) => Promise<void>;
  /** Waits until the page has said something that it shows for a moment only, be it over by now. */
  readonly heard: (text: string) => Promise<void>;
}

declare global {
  interface Window {
    /** What the page has said aloud. */
    readonly heard: string[];
  }
}

/** What an inspector is opened with. */
export interface Opening {
  readonly server?: ServerOptions;
  readonly browser?: BrowserContextOptions;
  /** The tab to begin with. */
  readonly tab?: string;
}

/** Opens an inspector for one test. */
export type Inspect = (opening?: Opening) => Promise<Inspected>;

/** Tests of the inspector in Chromium. */
export function describeInspector(name: string, tests: (inspect: Inspect) => void): void {
  describeInChromium(`the inspector: ${name}`, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(() => browser?.close());
    tests((opening) => inspected(browser, opening));
  });
}

async function inspected(browser: Browser, { server: options, browser: look, tab }: Opening = {}): Promise<Inspected> {
  const server = await startServer({ seed: 1, ...options });
  onTestFinished(() => server.close());
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...look });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const [spoken, asked]: [string[], string[]] = [[], []];
  page.on("console", (message) => spoken.push(message.text()));
  page.on("pageerror", (error) => spoken.push(String(error)));
  page.on("request", (request) => asked.push(request.url()));
  await page.addInitScript(listen);
  await page.goto(`${server.url}/__mock/${tab ? `#${tab}` : ""}`);
  const { mock } = server;
  const billing = createClient({ accessToken: mock.issueToken(), baseUrl: server.url, maxRetries: 0 });
  const show = (name: string) => page.getByRole("tab", { name }).click();
  const heard = async (text: string) => {
    await page.waitForFunction((wanted) => window.heard.some((said) => said.includes(wanted)), text);
  };
  return { server, mock, page, billing, spoken, asked, show, heard };
}

/** Runs in the page: notes each text of the places that a screen reader follows. */
function listen(): void {
  const heard: string[] = [];
  Object.assign(window, { heard });
  new MutationObserver(() => {
    for (const place of document.querySelectorAll("[role=status], [role=alert], [aria-live]")) {
      heard.push(place.textContent ?? "");
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

/** What a receiver of webhooks got. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly { readonly headers: Record<string, string>; readonly body: string }[];
}

/** A receiver of webhooks for one test; it answers with the status. */
export async function receiver(status = 200): Promise<Receiver> {
  const received: { headers: Record<string, string>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() });
    response.writeHead(status, { "Content-Type": "application/json" }).end('{ "taken": true }');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received };
}
