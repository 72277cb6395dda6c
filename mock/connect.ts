/**
 * The mock behind a server, with the interface of a mock in the process. For Node.
 *
 * @module mock/connect
 */

import type { Mock } from "./api/mock.ts";
import { connectedMock } from "./connect/connected-mock.ts";
import { isLoopback } from "./network/hosts.ts";
import { from, text } from "./options/field-kinds.ts";
import { type FieldKind, requireOptions } from "./options/shape.ts";
import { portsOfThisThread } from "./server/running.ts";

/** Options for `connectMock`. */
export interface ConnectOptions {
  /** The password of the control interface, where it has one. */
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
  /** The server's address, without a slash at the end: the `baseUrl` of a client. */
  readonly url: string;
}

/**
 * Connects to a server that runs in another process or in another thread. What the object does is what a mock in the
 * process does, so a suite moves from one to the other by changing this line; each call blocks the thread until the
 * server has answered, except `fetch` and `webhooks.idle`.
 *
 * @example
 * ```ts
 * const mock = connectMock("http://127.0.0.1:4010");
 * const billing = createClient({ accessToken: mock.issueToken(), baseUrl: mock.url });
 * ```
 * @throws TypeError when the address cannot be used, or when the server runs in this very thread, which could not answer
 * while it waits for itself; Error when no server answers there, or when it asks for another password.
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
    throw new TypeError(`connectMock: the address must be the server's, as in "http://127.0.0.1:4010", not "${url}".`);
  }
  const isHere = isLoopback(parsed.hostname);
  if (isHere && portsOfThisThread().has(Number(parsed.port))) {
    throw new TypeError(
      `connectMock: the server at ${url} runs in this thread; use the \`mock\` that startServer gave.`,
    );
  }
  return parsed.origin + parsed.pathname.replace(/\/+$/, "");
}

export type * from "./api/public-types.ts";
