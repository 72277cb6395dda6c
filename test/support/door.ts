import { onTestFinished } from "vitest";
import type { Mock, MockOptions } from "../../mock/index.ts";
import { type BillingClient, type ClientOptions, type VersionName, versions } from "./door-clients.ts";
import { type Received, receive, type Sent } from "./door-requests.ts";

export { problems, type Received, type Sent } from "./door-requests.ts";

/** A way to reach a mock. Every test of the rules goes through a door, and runs unchanged through each of them. */
export interface Door {
  readonly mock: Mock;
  /** Sends raw requests. */
  readonly fetch: typeof fetch;
  /** The address that the mock is reached at. */
  readonly baseUrl: string;
  /** A client of a version, Current by default; its token is an organization access token with every scope. */
  client(version?: VersionName, options?: Partial<ClientOptions>): BillingClient;
  /** Sends one request: `send("GET /v1/products/", { token })`. Without a token given, it takes one with every scope. */
  send(line: string, sent?: Sent): Promise<Received>;
  /** Closes the door; the end of the test that opened it does so too. */
  close(): void | Promise<void>;
}

/** What differs from door to door. */
type Opening = Pick<Door, "mock" | "fetch" | "baseUrl" | "close">;

const openings: Readonly<Record<string, (options: MockOptions) => Promise<Opening>>> = {
  /** The mock's own fetch, in process. */
  fetch: async (options) => {
    const { createMock } = await import("../../mock/index.ts");
    const mock = createMock(options);
    return { mock, fetch: mock.fetch, baseUrl: baseUrlOf(mock), close: () => {} };
  },

  /** MSW intercepts the global fetch; which MSW is the project's choice. */
  msw: async (options) => {
    const { createMock } = await import("../../mock/node.ts");
    const mock = createMock(options);
    mock.listen();
    return { mock, fetch: globalThis.fetch, baseUrl: baseUrlOf(mock), close: () => mock.close() };
  },

  /** A server in another thread, over a socket; the mock is what `connectMock` gives. */
  server: async (options) => {
    const { serveMock } = await import("./server-door.ts");
    const { mock, url, close } = await serveMock(options);
    return { mock, fetch: globalThis.fetch, baseUrl: url, close };
  },
};

/** Opens the door of this run to a new mock: the one that the project names in the environment variable DOOR. */
export async function openDoor(options: MockOptions = {}): Promise<Door> {
  const name = process.env["DOOR"] ?? "fetch";
  const open = openings[name];
  if (!open) throw new Error(`There is no door "${name}"; DOOR is one of ${Object.keys(openings).join(", ")}.`);
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
