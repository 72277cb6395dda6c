/**
 * A mock server in another process or thread, used like a mock in the same process. For Node.js.
 *
 * @module mock/connect
 */

import type { Mock } from "./api/mock.ts";
import { connectedMock } from "./connect/connected-mock.ts";
import { isLoopback } from "./network/hosts.ts";
import { from, text } from "./options/field-kinds.ts";
import { type FieldKind, requireOptions } from "./options/shape.ts";
import { portsOfThisThread } from "./server/ports-of-this-thread.ts";

/** Options for `connectMock`. */
export interface ConnectOptions {
  /** Password of the control API, if the server has one. */
  readonly password?: string | undefined;
  /** Maximum time for a response of the server, in milliseconds. Defaults to 5,000. */
  readonly timeout?: number | undefined;
}

const CONNECT_OPTIONS: Readonly<Record<keyof ConnectOptions, FieldKind>> = {
  password: text,
  timeout: from(1, 2 ** 31 - 1),
};

/** A mock that runs behind a server. */
export interface ConnectedMock extends Mock {
  /** The URL of the server without a trailing slash, for `baseUrl` of a client. */
  readonly url: string;
}

/**
 * Connects to a server in another process or thread. The result works like a mock in the same process, so a test suite
 * switches between them by changing this line. Each call except `fetch`, `webhooks.idle` and `clock.advance` blocks
 * the thread until the server has responded.
 *
 * @example
 * ```ts
 * const mock = connectMock("http://127.0.0.1:4010");
 * const billing = createClient({ accessToken: mock.issueToken(), baseUrl: mock.url });
 * ```
 * @throws TypeError when the URL is invalid, or when the server runs in the same thread, which cannot respond while it is
 * blocked; Error when the server cannot be reached or requires another password.
 */
export function connectMock(url: string, options: ConnectOptions = {}): ConnectedMock {
  const address = addressIn(url);
  requireOptions("connectMock", options, CONNECT_OPTIONS);
  const { password, timeout = 5_000 } = options;
  return Object.defineProperty(connectedMock({ url: address, password, timeout }), "url", {
    value: address,
    enumerable: true,
  }) as ConnectedMock;
}

function addressIn(url: string): string {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== "http:") {
    throw new TypeError(
      `connectMock: \`url\` must be an http: URL, such as "http://127.0.0.1:4010"; received "${url}".`,
    );
  }
  const isHere = isLoopback(parsed.hostname);
  if (isHere && portsOfThisThread().has(Number(parsed.port))) {
    throw new TypeError(
      `connectMock: the server at ${url} runs in this thread; use the \`mock\` of the server instead.`,
    );
  }
  return parsed.origin + parsed.pathname.replace(/\/+$/, "");
}

export type * from "./api/public-types.ts";
