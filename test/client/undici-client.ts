import type { Server } from "node:http";
import { expect, onTestFinished } from "vitest";
import { type UndiciTransport, type UndiciTransportOptions, undiciTransport } from "../../src/undici.ts";
import type { Service } from "./service.ts";
import { type TinyClient, tinyClient } from "./tiny-contract.ts";

/** Creates a transport that is closed when the test ends. */
export function open(options?: UndiciTransportOptions): UndiciTransport {
  const transport = undiciTransport(options);
  onTestFinished(() => transport.close());
  return transport;
}

/** Creates a client that sends to a server with undici, without retries. */
export function clientOf({ baseUrl }: Service, transport = open()): TinyClient {
  return tinyClient({ baseUrl, transport, maxRetries: 0 });
}

/** Counts the connections that a server accepts. */
export function countConnections(server: Server): () => number {
  let count = 0;
  server.on("connection", () => (count += 1));
  return () => count;
}

/** Waits until a server has no open connection. */
export async function noConnections(server: Server): Promise<void> {
  const count = (): Promise<number> =>
    new Promise((resolve, reject) => server.getConnections((error, open) => (error ? reject(error) : resolve(open))));
  await expect.poll(count).toBe(0);
}
