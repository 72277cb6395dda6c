import { once } from "node:events";
import type { ServerOptions as NodeOptions } from "node:http";
import type { AddressInfo } from "node:net";
import type { Mock } from "../api/mock.ts";
import { mockOf } from "../api/mock-of.ts";
import type { Engine } from "../engine/engine.ts";
import { amount } from "../options/field-kinds.ts";
import { type FieldKind, requireShape } from "../options/shape.ts";
import { latencyOf } from "./latency.ts";
import { listenerOf } from "./listener.ts";
import { checkOptions, type ServerOptions } from "./options.ts";
import { portsOfThisThread } from "./running.ts";
import { Connections } from "./stop.ts";

/** A server that runs. */
export interface MockServer {
  /** Its address, without a slash at the end: the `baseUrl` of a client. */
  readonly url: string;
  readonly port: number;
  /** The mock behind it. */
  readonly mock: Mock;
  /**
   * Stops the server: it takes no new connection, finishes the answers that are under way, and closes what is still open
   * after the grace time.
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

/** Long enough that no client's pooled connection is closed under its hands, in milliseconds. */
const KEEP_ALIVE = 65_000;

// An import of `node:http` would load all that its exports name, WebSocket and `fetch` among them: a tenth of a
// server's time to start.
const { createServer } = process.getBuiltinModule("node:http");

/** Serves a mock over HTTP. */
export async function serve(mock: Engine, options: ServerOptions): Promise<MockServer> {
  checkOptions(options);
  const { port = 0, host = "127.0.0.1", control = {} } = options;
  const latency = latencyOf(options.latency);
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE,
    ...receiving(options.requestTimeout ?? REQUEST_TIMEOUT),
  });
  const connections = new Connections(server);
  const listener = listenerOf({ mock, host, control, latency, connections });
  server.on("request", listener).on("checkContinue", listener);
  server.listen(port, host);
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  if (control !== false) mock.own.add(bound, hostsOf(host));
  return running(bound, host, mock, connections);
}

/** How long a client may take to send a request, in milliseconds. */
const REQUEST_TIMEOUT = 60_000;

/** How often Node looks for requests that take too long, in milliseconds, unless the time for a request is short. */
const CHECK_EVERY = 30_000;

type Timeouts = Pick<NodeOptions, "headersTimeout" | "requestTimeout" | "connectionsCheckingInterval">;

/** One timeout for the headers and for the whole request. */
function receiving(requestTimeout: number): Timeouts {
  const connectionsCheckingInterval = Math.min(CHECK_EVERY, Math.ceil(requestTimeout / 2));
  return { headersTimeout: requestTimeout, requestTimeout, connectionsCheckingInterval };
}

function running(port: number, host: string, mock: Engine, connections: Connections): MockServer {
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

/** The names and addresses that lead to what is bound to a host, besides loopback ones. */
function hostsOf(host: string): readonly string[] {
  if (host !== "0.0.0.0" && host !== "::") return [host];
  const { hostname, networkInterfaces } = process.getBuiltinModule("node:os");
  return [hostname(), ...Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])];
}

/** The name under which this machine reaches what is bound to a host. */
function nameOf(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
