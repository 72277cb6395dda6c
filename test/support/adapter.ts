import { onTestFinished } from "vitest";
import type { Mock, MockOptions } from "../../mock/index.ts";
import { type BillingClient, type ClientOptions, type VersionName, versions } from "./clients.ts";
import { type Received, receive, type Sent } from "./raw-requests.ts";

export { problems, type Received, type Sent } from "./raw-requests.ts";

/** A way to reach a mock. The tests of the rules run unchanged through every adapter. */
export interface Adapter {
  readonly mock: Mock;
  /** Sends raw requests. */
  readonly fetch: typeof fetch;
  /** The base URL of the mock. */
  readonly baseUrl: string;
  /** A client of a version, Current by default; its token is an organization access token with every scope. */
  client(version?: VersionName, options?: Partial<ClientOptions>): BillingClient;
  /** Sends one request: `send("GET /v1/products/", { token })`. The token has every scope by default. */
  send(line: string, sent?: Sent): Promise<Received>;
  /** Closes the adapter. It is also closed at the end of the test that opened it. */
  close(): void | Promise<void>;
}

/** The parts that differ between adapters. */
type Opening = Pick<Adapter, "mock" | "fetch" | "baseUrl" | "close">;

const openings: Readonly<Record<string, (options: MockOptions) => Promise<Opening>>> = {
  /** The mock's own fetch, in process. */
  fetch: async (options) => {
    const { createMock } = await import("../../mock/index.ts");
    const mock = createMock(options);
    return { mock, fetch: mock.fetch, baseUrl: baseUrlOf(mock), close: () => {} };
  },

  /** MSW intercepts the global fetch; the Vitest project chooses the version of MSW. */
  msw: async (options) => {
    const { createMock } = await import("../../mock/node.ts");
    const mock = createMock(options);
    mock.listen();
    return { mock, fetch: globalThis.fetch, baseUrl: baseUrlOf(mock), close: () => mock.close() };
  },

  /** A server in another thread, over a socket; the mock is the result of `connectMock`. */
  server: async (options) => {
    const { serveMock } = await import("./serve-mock.ts");
    const { mock, url, close } = await serveMock(options);
    return { mock, fetch: globalThis.fetch, baseUrl: url, close };
  },
};

/** Creates a mock and opens the adapter of this run: the one that the environment variable ADAPTER names. */
export async function openAdapter(options: MockOptions = {}): Promise<Adapter> {
  const name = process.env["ADAPTER"] ?? "fetch";
  const open = openings[name];
  if (!open) throw new Error(`Unknown adapter "${name}". ADAPTER must be one of: ${Object.keys(openings).join(", ")}.`);
  const opening = await open(options);
  onTestFinished(() => opening.close());
  const { mock, baseUrl, fetch } = opening;
  return {
    ...opening,
    client: (version = "2025-01", given = {}) =>
      versions[version].createClient({ accessToken: mock.issueToken(), baseUrl, fetch, maxRetries: 0, ...given }),
    send: (line, sent = {}) => receive(fetch, baseUrl, line, { token: mock.issueToken(), ...sent }),
  };
}

function baseUrlOf({ baseUrls }: Mock): string {
  return baseUrls[0] as string;
}
