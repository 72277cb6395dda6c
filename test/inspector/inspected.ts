import type { BrowserContextOptions } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { createClient } from "#current";
import type { ServerOptions } from "../../mock/server.ts";
import { describeInChromium, type OpenPage } from "../browser/chromium.ts";
import { started } from "../support/started-server.ts";

declare global {
  interface Window {
    /** The texts that the page announced. */
    readonly announced: string[];
  }
}

interface InspectOptions {
  readonly server?: ServerOptions;
  readonly browser?: BrowserContextOptions;
  /** The id of the first tab. */
  readonly tab?: string;
}

type Inspect = (options?: InspectOptions) => ReturnType<typeof inspected>;

/** Groups tests that open the inspector in Chromium. */
export function describeInspector(name: string, tests: (inspect: Inspect) => void): void {
  describeInChromium(`the inspector: ${name}`, (openPage) => tests((options) => inspected(openPage, options)));
}

/** Opens the inspector of a mock server. The test fails if the page's console has an unexpected message at the end. */
async function inspected(openPage: OpenPage, { server: options, browser, tab = "" }: InspectOptions = {}) {
  const server = await started({ seed: 1, ...options });
  const page = await openPage({ viewport: { width: 1280, height: 800 }, ...browser });
  const [logged, requested]: [string[], string[]] = [[], []];
  const isExpected = (text: string) => /^Failed to load resource|^\[DOM\] Password/.test(text);
  page.on("console", (message) => isExpected(message.text()) || logged.push(message.text()));
  page.on("pageerror", (error) => logged.push(String(error)));
  page.on("request", (request) => requested.push(request.url()));
  onTestFinished(() => expect(logged).toEqual([]));
  await page.addInitScript(recordAnnouncements);
  await page.goto(`${server.url}/__mock/#${tab}`);
  const { mock } = server;
  return {
    ...{ server, mock, page },
    /** The messages on the page's console, including uncaught errors, and the URLs that the page requested. */
    ...{ logged, requested },
    /** A client of the mock that does not retry. */
    billing: createClient({ accessToken: mock.issueToken(), baseUrl: server.url, maxRetries: 0 }),
    /** Selects a tab. */
    show: (name: string) => page.getByRole("navigation").getByRole("link", { name }).click(),
    /** Waits until screen readers have received a message, even if it has disappeared since. */
    announced: async (text: string) => {
      await page.waitForFunction((wanted) => window.announced.some((seen) => seen.includes(wanted)), text);
    },
  };
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
