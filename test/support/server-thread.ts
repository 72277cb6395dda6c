// A thread that runs the servers of several tests.
import { parentPort } from "node:worker_threads";
import { type MockServer, type ServerOptions, startServer } from "../../mock/server.ts";

/** A command to the thread. */
export type ThreadCommand = { readonly id: number } & ({ readonly start: ServerOptions } | { readonly close: string });

/** The reply to a command. */
export type ThreadReply = { readonly id: number; readonly url?: string; readonly error?: unknown };

const servers = new Map<string, MockServer>();

parentPort?.on("message", async (order: ThreadCommand) => {
  try {
    const url = await ("start" in order ? start(order.start) : close(order.close));
    parentPort?.postMessage({ id: order.id, url } satisfies ThreadReply);
  } catch (error) {
    parentPort?.postMessage({ id: order.id, error } satisfies ThreadReply);
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
