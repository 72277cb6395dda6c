import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Engine } from "../api/engine.ts";
import type { Mock, MockOptions } from "../api/mock.ts";
import { MAX_DELAY } from "../clock/timers.ts";
import type { MockNames, PackagedNames } from "../generated/names.ts";
import { encodeResponse } from "../http/messages.ts";
import {
  amount,
  anything,
  type FieldType,
  fieldType,
  from,
  integerFrom,
  requireShape,
  text,
} from "../options/field-types.ts";
import { requestListener, versionFor } from "./listener.ts";
import { writeResponse, writeSocketError } from "./socket.ts";

/** A running mock server. */
export interface MockServer<Names extends MockNames = PackagedNames> {
  /** Its URL without a trailing slash, for `baseUrl` of a client. */
  readonly url: string;
  readonly port: number;
  /** The mock behind it. */
  readonly mock: Mock<Names>;
  /**
   * Stops the server: rejects new connections, closes those of requests that a `timeout` fault holds, waits for the other
   * pending responses, closes the remaining connections after the grace time, and ends deliveries.
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

const CLOSE_OPTIONS: Readonly<Record<keyof CloseOptions, FieldType>> = { grace: amount };

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
export async function serve(engine: Engine, options: ServerOptions): Promise<MockServer<MockNames>> {
  const { port = 0, host = "127.0.0.1", control = {}, latency = 0, requestTimeout = 60_000 } = options;
  if (control !== false) checkControl(control);
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE,
    // As `Headers` does: two credentials are none (G-REPEAT).
    joinDuplicateHeaders: true,
    // The listener answers a request without `Host`.
    requireHostHeader: false,
    // One timeout for the headers and for the whole request.
    headersTimeout: requestTimeout,
    requestTimeout,
    connectionsCheckingInterval: Math.min(CHECK_EVERY, Math.ceil(requestTimeout / 2) || CHECK_EVERY),
  });
  const stopping = new AbortController();
  const close = closing(server, stopping);
  const listener = requestListener({ engine, host, control, latency, stopping: stopping.signal });
  server.on("request", listener).on("checkContinue", listener);
  server.on("clientError", (error, socket) => writeSocketError(error, socket, versionFor(socket, engine)));
  server.on("checkExpectation", ({ headers }, outgoing) => {
    const { version } = engine.state.versions.contracts.get(String(headers["service-version"])) ?? {};
    writeResponse(encodeResponse(417, undefined, version ?? engine.state.versions.current), outgoing);
  });
  server.listen(port, host);
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${nameOf(host)}:${bound}`,
    port: bound,
    mock: engine.mock,
    close: async (options = {}) => {
      requireShape("close", options, CLOSE_OPTIONS);
      await close(options.grace ?? GRACE);
      engine.handler.endLife();
      engine.stop();
    },
  };
}

/** The interval at which Node.js checks for timeouts, in milliseconds. It is shorter for a short timeout. */
const CHECK_EVERY = 30_000;

/**
 * Returns a function that rejects new connections, closes idle ones, and waits for pending responses. It closes all connections
 * after the grace time, in milliseconds; a second call waits for the first.
 */
function closing(server: Server, stopping: AbortController): (grace: number) => Promise<void> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  const close = async (grace: number) => {
    stopping.abort();
    const closed = once(server, "close");
    server.close();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    const sweep = realSetInterval(() => server.closeIdleConnections(), SWEEP_EVERY);
    const timer = realSetTimeout(() => server.closeAllConnections(), Math.min(grace, MAX_DELAY));
    await closed;
    clearInterval(sweep);
    clearTimeout(timer);
  };
  let closed: Promise<void> | undefined;
  return (grace) => (closed ??= close(grace));
}

/** Sockets are real, so that a test's fake timers do not stop the time that closing them takes. */
const { setTimeout: realSetTimeout, setInterval: realSetInterval, clearTimeout, clearInterval } = globalThis;

/** The maximum time between the last response and the close of its connection, in milliseconds. */
const SWEEP_EVERY = 10;

/** Returns the name in the URL at which this machine reaches a server bound to a host. */
function nameOf(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/** Options for `startServer`. All are optional. */
export interface ServerOptions extends MockOptions {
  /** Port to listen on. Defaults to 0, which picks a free one. */
  readonly port?: number | undefined;
  /** Host to bind to. Defaults to `127.0.0.1`, which only this machine can reach. */
  readonly host?: string | undefined;
  /** Delay of every response of the service, in milliseconds. Defaults to 0. */
  readonly latency?: number | undefined;
  /**
   * Maximum time to receive a request, headers and body, in milliseconds. Defaults to 60,000. A slower client receives a 408
   * and is disconnected. `0` disables the timeout.
   */
  readonly requestTimeout?: number | undefined;
  /**
   * Disables the control API and the inspector at `/__mock`, or sets their password. Defaults to enabled, without a
   * password.
   */
  readonly control?: false | { readonly password?: string };
}

/** The ports of 1,024 and above to which `fetch` does not connect (Fetch standard, "port blocking"). */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]);

/** The kinds of a server's options, in addition to a mock's. */
export const SERVER_OPTIONS: Readonly<Record<Exclude<keyof ServerOptions, keyof MockOptions>, FieldType>> = {
  port: fieldType(
    "an integer from 0 to 65535, and no port that `fetch` blocks",
    (value) => integerFrom(0, 65_535).fits(value) && !BLOCKED_PORTS.has(value as number),
  ),
  // Node.js would bind to every address of the machine if the host were empty.
  host: fieldType("a host name or an address", (value) => text.fits(value) && value !== ""),
  latency: from(0, MAX_DELAY),
  requestTimeout: integerFrom(0, MAX_DELAY),
  control: anything,
};

/** Rejects a password that is `undefined`, because the control API would otherwise be open without anybody noticing. */
function checkControl(control: unknown): void {
  requireShape("startServer: control", control, { password: anything });
  const { password } = control as { readonly password?: unknown };
  if (!("password" in (control as object)) || (typeof password === "string" && password !== "")) return;
  const received = password === "" ? "an empty string" : typeof password;
  const hint = password === undefined ? " (is its environment variable set?)" : "";
  throw new TypeError(`startServer: \`control.password\` must be a non-empty string; received ${received}${hint}.`);
}
