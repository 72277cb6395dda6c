import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { MockCore } from "../core.ts";
import type { Mock } from "../mock.ts";
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
  /** Stops it: no new request is taken, and those that are being answered are finished. */
  close(): Promise<void>;
}

/** Long enough that no client's pooled connection is closed under its hands, in milliseconds. */
const KEEP_ALIVE = 65_000;

// An import of `node:http` would load all that its exports name, WebSocket and `fetch` among them: a tenth of a
// server's time to start.
const { createServer } = process.getBuiltinModule("node:http");

/** Serves a mock over HTTP. */
export async function serve(mock: MockCore, options: ServerOptions): Promise<MockServer> {
  checkOptions(options);
  const { port = 0, host = "127.0.0.1", control = {} } = options;
  const latency = latencyOf(options.latency);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE });
  const connections = new Connections(server);
  const listener = listenerOf({ mock, host, control, latency, connections });
  server.on("request", listener).on("checkContinue", listener);
  server.listen(port, host);
  await once(server, "listening");
  return running((server.address() as AddressInfo).port, host, mock, connections);
}

function running(port: number, host: string, mock: Mock, connections: Connections): MockServer {
  portsOfThisThread().add(port);
  let stopped: Promise<void> | undefined;
  return {
    url: `http://${nameOf(host)}:${port}`,
    port,
    mock,
    close: () => {
      portsOfThisThread().delete(port);
      stopped ??= connections.stop();
      return stopped;
    },
  };
}

/** The name under which this machine reaches what is bound to a host. */
function nameOf(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
