import type { BrowserContextOptions, Page } from "playwright-core";
import type { MockServer, ServerOptions } from "../../mock/server.ts";
import { createClient } from "../../versions/2025-01/index.ts";
import { describeInChromium, type OpenPage } from "../browser/chromium.ts";
import { type ReceivedRequest, startReceiver } from "../support/local-server.ts";
import { started } from "../support/started-server.ts";

/** A mock server and its inspector in a browser. */
export interface Inspected {
  readonly server: MockServer;
  readonly mock: MockServer["mock"];
  readonly page: Page;
  /** A client of the mock that does not retry. */
  readonly billing: ReturnType<typeof createClient>;
  /** The messages on the console of the page, including uncaught errors. */
  readonly logged: readonly string[];
  /** The URLs that the page requested. */
  readonly requested: readonly string[];
  /** Selects a tab. */
  readonly show: (tab: string) => Promise<void>;
  /** Waits until the page has announced a message to screen readers, even if it is no longer visible. */
  readonly announced: (text: string) => Promise<void>;
}

declare global {
  interface Window {
    /** The texts that the page announced. */
    readonly announced: string[];
  }
}

/** Options for opening an inspector. */
export interface InspectOptions {
  readonly server?: ServerOptions;
  readonly browser?: BrowserContextOptions;
  /** The id of the first tab. */
  readonly tab?: string;
}

/** Opens an inspector for one test. */
export type Inspect = (opening?: InspectOptions) => Promise<Inspected>;

/** Groups tests that open the inspector in Chromium. */
export function describeInspector(name: string, tests: (inspect: Inspect) => void): void {
  describeInChromium(`the inspector: ${name}`, (openPage) => tests((opening) => inspected(openPage, opening)));
}

async function inspected(
  openPage: OpenPage,
  { server: options, browser: settings, tab }: InspectOptions = {},
): Promise<Inspected> {
  const server = await started({ seed: 1, ...options });
  const page = await openPage({ viewport: { width: 1280, height: 800 }, ...settings });
  const [logged, requested]: [string[], string[]] = [[], []];
  page.on("console", (message) => logged.push(message.text()));
  page.on("pageerror", (error) => logged.push(String(error)));
  page.on("request", (request) => requested.push(request.url()));
  await page.addInitScript(recordAnnouncements);
  await page.goto(`${server.url}/__mock/${tab ? `#${tab}` : ""}`);
  const { mock } = server;
  const billing = createClient({ accessToken: mock.issueToken(), baseUrl: server.url, maxRetries: 0 });
  const show = (name: string) => page.getByRole("navigation").getByRole("link", { name }).click();
  const announced = async (text: string) => {
    await page.waitForFunction((wanted) => window.announced.some((seen) => seen.includes(wanted)), text);
  };
  return { server, mock, page, billing, logged, requested, show, announced };
}

/** Runs in the page: records each text of its live regions. */
function recordAnnouncements(): void {
  const announced: string[] = [];
  Object.assign(window, { announced });
  new MutationObserver(() => {
    for (const region of document.querySelectorAll("[role=status], [role=alert], [aria-live]")) {
      announced.push(region.textContent ?? "");
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

/** A webhook receiver and the deliveries it received. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly ReceivedRequest[];
}

/** Starts a webhook receiver for one test. It responds with the status. */
export async function receiver(status = 200): Promise<Receiver> {
  const { origin, received } = await startReceiver((_, response) => {
    response.writeHead(status, { "Content-Type": "application/json" }).end('{ "received": true }');
  });
  return { url: `${origin}/hooks`, received };
}
