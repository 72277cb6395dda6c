// A thread that runs servers: one for each test that asks, all of them beside each other.
import { parentPort } from "node:worker_threads";
import { type MockServer, type ServerOptions, startServer } from "../../mock/server.ts";

/** What the thread is asked to do. */
export type HostOrder = { readonly id: number } & ({ readonly start: ServerOptions } | { readonly close: string });

/** What it tells. */
export type HostReport = { readonly id: number; readonly url?: string; readonly error?: unknown };

const servers = new Map<string, MockServer>();

parentPort?.on("message", async (order: HostOrder) => {
  try {
    const url = await ("start" in order ? start(order.start) : close(order.close));
    parentPort?.postMessage({ id: order.id, url } satisfies HostReport);
  } catch (error) {
    parentPort?.postMessage({ id: order.id, error } satisfies HostReport);
  }
});

async function start(options: ServerOptions): Promise<string> {
  const server = await startServer(options);
  servers.set(server.url, server);
  return server.url;
}

async function close(url: string): Promise<string> {
  await servers.get(url)?.close();
  servers.delete(url);
  return url;
}
