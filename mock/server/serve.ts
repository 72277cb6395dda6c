import { once } from "node:events";
import type { ServerOptions as NodeOptions } from "node:http";
import type { AddressInfo } from "node:net";
import type { Mock } from "../api/mock.ts";
import { mockOf } from "../api/mock-of.ts";
import type { Engine } from "../engine/engine.ts";
import { encodeResponse } from "../http/encoded-response.ts";
import { amount } from "../options/field-kinds.ts";
import { type FieldKind, requireShape } from "../options/shape.ts";
import { Connections } from "./connections.ts";
import { latencyOf } from "./latency.ts";
import { portsOfThisThread } from "./ports-of-this-thread.ts";
import { requestListener } from "./request-listener.ts";
import { checkOptions, type ServerOptions } from "./server-options.ts";
import { writeResponse, writeSocketError } from "./write-response.ts";

/** A running mock server. */
export interface MockServer {
  /** Its URL without a trailing slash, for `baseUrl` of a client. */
  readonly url: string;
  readonly port: number;
  /** The mock behind it. */
  readonly mock: Mock;
  /**
   * Stops the server: rejects new connections, waits for pending responses, and closes the remaining connections after
   * the grace time.
   *
   * @throws TypeError when an option is unknown or invalid.
   */
  close(options?: CloseOptions): Promise<void>;
}

/** Options for stopping a server. */
export interface CloseOptions {
  /**
   * Maximum time for open connections to finish, in milliseconds: pending responses and partly received requests.
   * Defaults to 5,000.
   */
  readonly grace?: number | undefined;
}

/** The default of `grace`, in milliseconds. */
export const GRACE = 5_000;

const CLOSE_OPTIONS: Readonly<Record<keyof CloseOptions, FieldKind>> = { grace: amount };

/** Keeps idle connections open, so that clients can reuse them, in milliseconds. */
const KEEP_ALIVE = 65_000;

// Importing `node:http` would load everything it exports, including WebSocket and `fetch`, which takes a tenth of the
// startup time of a server.
const { createServer } = process.getBuiltinModule("node:http");

/**
 * Serves a mock over HTTP.
 *
 * @throws TypeError when an option is invalid; the error of Node.js when the port or the host cannot be used.
 */
export async function serve(mock: Engine, options: ServerOptions): Promise<MockServer> {
  checkOptions(options);
  const { port = 0, host = "127.0.0.1", control = {} } = options;
  const latency = latencyOf(options.latency);
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE,
    ...timeouts(options.requestTimeout ?? REQUEST_TIMEOUT),
  });
  const connections = new Connections(server);
  const listener = requestListener({ mock, host, control, latency, connections });
  server.on("request", listener).on("checkContinue", listener);
  server.on("clientError", (error, socket) => writeSocketError(error, socket, mock.versions.current));
  server.on("checkExpectation", (_, outgoing) => {
    writeResponse(encodeResponse(417, undefined, mock.versions.current, undefined), outgoing);
  });
  server.listen(port, host);
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  if (control !== false) mock.own.add(bound, hostsOf(host));
  return runningServer(bound, host, mock, connections);
}

/** The default of `requestTimeout`, in milliseconds. */
const REQUEST_TIMEOUT = 60_000;

/** The interval at which Node.js checks for timeouts, in milliseconds. It is shorter for a short timeout. */
const CHECK_EVERY = 30_000;

type Timeouts = Pick<NodeOptions, "headersTimeout" | "requestTimeout" | "connectionsCheckingInterval">;

/** One timeout for the headers and for the whole request. */
function timeouts(requestTimeout: number): Timeouts {
  const connectionsCheckingInterval = Math.min(CHECK_EVERY, Math.ceil(requestTimeout / 2));
  return { headersTimeout: requestTimeout, requestTimeout, connectionsCheckingInterval };
}

function runningServer(port: number, host: string, mock: Engine, connections: Connections): MockServer {
  portsOfThisThread().add(port);
  return {
    url: `http://${nameOf(host)}:${port}`,
    port,
    mock: mockOf(mock),
    close: async (options = {}) => {
      requireShape("close", options, CLOSE_OPTIONS);
      portsOfThisThread().delete(port);
      mock.own.remove(port);
      await connections.stop(options.grace ?? GRACE);
    },
  };
}

/** Returns the names and addresses that reach a server bound to a host, except loopback ones. */
function hostsOf(host: string): readonly string[] {
  if (host !== "0.0.0.0" && host !== "::") return [host];
  const { hostname, networkInterfaces } = process.getBuiltinModule("node:os");
  return [hostname(), ...Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])];
}

/** Returns the name in the URL at which this machine reaches a server bound to a host. */
function nameOf(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
