import type { BrowserContextOptions } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { createClient } from "#current";
import type { ServerOptions } from "../../mock/server.ts";
import { describeInChromium, type OpenPage } from "../browser/chromium.ts";
import { started } from "../support/started-server.ts";

interface InspectOptions {
  readonly server?: ServerOptions;
  readonly browser?: BrowserContextOptions;
}

type Inspect = (options?: InspectOptions) => ReturnType<typeof inspected>;

/** Groups tests that open the inspector in Chromium. */
export function describeInspector(name: string, tests: (inspect: Inspect) => void): void {
  describeInChromium(`the inspector: ${name}`, (openPage) => tests((options) => inspected(openPage, options)));
}

/** Opens the inspector of a mock server. The test fails if the page's console has an unexpected message at the end. */
async function inspected(openPage: OpenPage, { server: options, browser }: InspectOptions = {}) {
  const server = await started({ seed: 1, ...options });
  const { mock } = server;
  const billing = createClient({ accessToken: mock.issueToken(), baseUrl: server.url, maxRetries: 0 });
  const page = await openPage({ permissions: ["clipboard-read", "clipboard-write"], ...browser });
  const [logged, requested]: [string[], string[]] = [[], []];
  const isExpected = (text: string) => /^Failed to load resource/.test(text);
  page.on("console", (message) => isExpected(message.text()) || logged.push(message.text()));
  page.on("pageerror", (error) => logged.push(String(error)));
  page.on("request", (request) => requested.push(request.url()));
  onTestFinished(() => expect(logged).toEqual([]));
  await page.goto(`${server.url}/__mock/`);
  return {
    ...{ server, mock, page },
    /** The messages on the page's console, including uncaught errors, and the URLs that the page requested. */
    ...{ logged, requested },
    /** A client of the mock that does not retry. */
    billing,
    /** The link that opens the first row with a text. */
    row: (text: string | RegExp) => page.getByRole("listitem").filter({ hasText: text }).getByRole("link").first(),
    details: page.getByRole("region", { name: "Details" }),
    /** Clicks a copy button, and returns what it copied. */
    copy: async (name: string) => {
      await page.getByRole("button", { name }).first().click();
      await page.getByText("Copied").waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    },
  };
}
