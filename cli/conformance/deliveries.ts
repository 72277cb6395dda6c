import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { NotObservable } from "../../conformance/report.ts";
import type { ConformanceReceiver, Trigger } from "../../conformance/settings.ts";
import { readBytes } from "../../src/values/bytes.ts";
import { parseBaseUrl } from "../../src/values/urls.ts";
import { UsageError } from "../shared/arguments.ts";
import { type EnvironmentVariables, EXIT_CODE, type Terminal } from "../shared/terminal.ts";

type Handle = (request: Request) => Promise<Response>;

/** A server for deliveries. */
export interface Receiver extends ConformanceReceiver {
  close(): void;
}

const TRIGGER_TIMEOUT = 60_000;
const MAX_DELIVERY_BYTES = 1024 * 1024;

/**
 * Listens for deliveries on this machine. Only requests to unguessable paths count, since anyone can send others to a tunnel.
 *
 * @param given The URL that forwards to the port, with any path below it; undefined for the port itself.
 * @throws UsageError when the URL is invalid, or the port cannot be used.
 */
export async function listen(port: number, given?: string): Promise<Receiver> {
  const base = parseBaseUrl(given);
  if (given !== undefined && base === undefined)
    throw new UsageError("--receiver must be an absolute URL without credentials and query.");
  const handlers = new Map<string, Handle>();
  const key = crypto.randomUUID();
  // A tunnel may change what stands before the key.
  const pathOf = (url = "") => url.replace(new RegExp(`^.*(?=${key})`), "");
  const handlerOf = ({ method, url }: IncomingMessage) => (method === "POST" ? handlers.get(pathOf(url)) : undefined);
  const server = createServer((request, response) => void answer(request, response, handlerOf(request)));
  await new Promise<void>((resolve, reject) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) =>
      reject(new UsageError(`--receiver-port ${port} cannot be used (${code}); choose another.`)),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `${base ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`}/${key}`,
    receive: (url, handler) => {
      handlers.set(pathOf(url), handler);
      return () => handlers.delete(pathOf(url));
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse, handle?: Handle): Promise<void> {
  try {
    const body = await readBytes(incoming.iterator({ destroyOnReturn: false }), MAX_DELIVERY_BYTES);
    const sent = { method: "POST", headers: incoming.headers as HeadersInit, body: body as BodyInit };
    const status = handle === undefined ? 404 : 413;
    const response =
      handle && body ? await handle(new Request("http://receiver.invalid/", sent)) : new Response(null, { status });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end();
  } catch {
    outgoing.destroy();
  }
}

/** The length of what is shown of a command's stderr, in characters. */
const MAX_STDERR = 500;

/**
 * Returns a function that runs a command in a shell, with the type and the organization of the event in its environment. It may
 * end as `billing trigger` does when no endpoint is subscribed, or when a delivery failed: the checks find out which. Says at
 * once how it failed.
 */
export function triggerWith(command: string, env: EnvironmentVariables, terminal: Terminal): Trigger {
  return async (type, organizationId) => {
    const variables = { ...env, EVENT_TYPE: type, ORGANIZATION_ID: organizationId };
    const options = { shell: true, env: variables, timeout: TRIGGER_TIMEOUT };
    const child = spawn(command, { ...options, stdio: ["ignore", "ignore", "pipe"] });
    const [stderr, [code, signal]] = await Promise.all([text(child.stderr), once(child, "close")]);
    if (code === EXIT_CODE.success || code === EXIT_CODE.rejected) return;
    const problem = `--trigger ended with ${signal ?? code}`;
    const last = stderr.trim().slice(-MAX_STDERR);
    terminal.warn(last === "" ? problem : `${problem}: ${last}`);
    throw new NotObservable(`the command of ${problem}`);
  };
}
