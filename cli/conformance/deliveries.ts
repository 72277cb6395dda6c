import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { ConformanceReceiver, Trigger } from "../../conformance/index.ts";
import { NotObservable } from "../../conformance/outcome.ts";
import { UsageError } from "../shared/arguments.ts";
import { EXIT_CODE } from "../shared/output.ts";

type Handle = (request: Request) => Promise<Response>;

/** A server for deliveries. */
export interface Receiver extends ConformanceReceiver {
  close(): void;
}

const TRIGGER_TIMEOUT = 60_000;

/**
 * Listens for deliveries on this machine.
 *
 * @param url The URL under which deliveries reach the port; undefined for the port itself.
 * @throws UsageError when the port cannot be used.
 */
export async function listen(port: number, url?: string): Promise<Receiver> {
  const handlers = new Set<Handle>();
  const server = createServer((request, response) => void answer(request, response, [...handlers].at(-1)));
  await new Promise<void>((resolve, reject) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) =>
      reject(new UsageError(`--receiver-port ${port} cannot be used (${code}); choose another.`)),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: url ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    receive: (handler) => {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse, handle: Handle | undefined): Promise<void> {
  try {
    const { status, headers } = handle ? await handle(await requestOf(incoming)) : new Response(null, { status: 404 });
    outgoing.writeHead(status, Object.fromEntries(headers)).end();
  } catch {
    outgoing.destroy();
  }
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = "POST", url = "/", headersDistinct } = incoming;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const body = method === "GET" || method === "HEAD" ? null : await buffer(incoming);
  return new Request(`http://receiver.invalid${url}`, { method, headers, body });
}

/**
 * Returns a function that runs a command in a shell, with the type and the organization of the event in its environment. It may
 * end as `billing trigger` does when no endpoint is subscribed, or when a delivery failed: the checks find out which.
 */
export function triggerWith(command: string): Trigger {
  return (type, organizationId) =>
    new Promise<void>((resolve, reject) => {
      const env = { ...process.env, EVENT_TYPE: type, ORGANIZATION_ID: organizationId };
      const child = spawn(command, { shell: true, stdio: "ignore", env, timeout: TRIGGER_TIMEOUT });
      child.on("error", ({ message }) => reject(new NotObservable(`the command of --trigger cannot run: ${message}`)));
      child.on("close", (code, signal) => {
        if (code === 0 || code === EXIT_CODE.rejected) resolve();
        else reject(new NotObservable(`the command of --trigger ended with ${signal ?? code}`));
      });
    });
}
