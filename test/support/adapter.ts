import { onTestFinished } from "vitest";
import type { Mock, MockOptions } from "../../mock/index.ts";
import { type BillingClient, type ClientOptions, type VersionName, versions } from "./clients.ts";
import { receive, type Sent } from "./receive.ts";
import { CURRENT } from "./versions.ts";

export { problems, type Received, type Sent } from "./receive.ts";

/** The version of requests and clients for which a test names none. The tests of the rules run once for each version. */
export const testedVersion: VersionName = (process.env["TESTED_VERSION"] as VersionName | undefined) ?? CURRENT;

/** A way to reach a mock. */
export type Adapter = Awaited<ReturnType<typeof openAdapter>>;

/** The parts that differ between adapters. */
interface Opening {
  readonly mock: Mock;
  /** Sends raw requests. */
  readonly fetch: typeof fetch;
  /** The base URL of the mock. */
  readonly baseUrl: string;
  /** Closes the adapter. It is also closed at the end of the test that opened it. */
  readonly close: () => void | Promise<void>;
}

const openings: Readonly<Record<string, (options: MockOptions) => Promise<Opening>>> = {
  /** The mock's own fetch, in process. */
  fetch: async (options) => {
    const { createMock } = await import("../../mock/index.ts");
    const mock = createMock({ warn: false, ...options });
    return { mock, fetch: mock.fetch, baseUrl: baseUrlOf(mock), close: () => {} };
  },

  /** MSW intercepts the global fetch; the Vitest project chooses the version of MSW. */
  msw: async (options) => {
    const { createMock } = await import("../../mock/node.ts");
    const mock = createMock({ warn: false, ...options });
    mock.listen();
    return { mock, fetch: globalThis.fetch, baseUrl: baseUrlOf(mock), close: () => mock.close() };
  },

  /** A server, over a socket. */
  server: serve,
};

async function serve(options: MockOptions): Promise<Opening> {
  const { startServer } = await import("../../mock/server.ts");
  const { mock, url, close } = await startServer({ warn: false, ...options });
  return { mock, fetch: globalThis.fetch, baseUrl: url, close };
}

/** Creates a mock and opens the adapter of this run: the one that the environment variable ADAPTER names. */
export async function openAdapter(options: MockOptions = {}) {
  const name = process.env["ADAPTER"] ?? "fetch";
  const open = openings[name];
  if (!open) throw new Error(`Unknown adapter "${name}". ADAPTER must be one of: ${Object.keys(openings).join(", ")}.`);
  const opening = await open(options);
  onTestFinished(() => opening.close());
  const { mock, baseUrl, fetch } = opening;
  const send = (line: string, sent: Sent = {}) =>
    receive(fetch, baseUrl, line, { token: mock.issueToken(), version: testedVersion, ...sent });
  return {
    ...opening,
    /** Sends one request: `send("GET /v1/products/", { token })`. The token has every scope by default. */
    send,
    /** Sends usage events. */
    ingest: (events: unknown, sent: Sent = {}) => send("POST /v1/events/ingest", { ...sent, json: { events } }),
    /** A client of a version; its token is an organization access token with every scope. */
    client: (version: VersionName = testedVersion, given: Partial<ClientOptions> = {}): BillingClient =>
      versions[version].createClient({
        ...{ accessToken: mock.issueToken(), baseUrl, fetch, maxRetries: 0, onResponseMismatch: "throw" },
        ...given,
      }),
  };
}

function baseUrlOf({ baseUrls }: Mock): string {
  return baseUrls[0] as string;
}
