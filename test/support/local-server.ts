import { EventEmitter, once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request that a server received. */
export interface ReceivedRequest {
  readonly method: string;
  /** The path and the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Starts an HTTP server on a free port of 127.0.0.1, which is closed when the test ends. */
export async function startLocalServer(listener: RequestListener) {
  const { port, server } = await listening(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${port}`, port, server };
}

/** Returns a port on which nothing listens. */
export async function freePort(): Promise<number> {
  const { port, server } = await listening();
  await once(server.close(), "close");
  return port;
}

async function listening(listener?: RequestListener) {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

/** Starts an HTTP server that collects the requests it receives, and responds to each after reading its body. */
export async function startReceiver(respond: RequestListener = (_, response) => void response.end()) {
  const { received, news, got } = receivedRequests();
  const local = await startLocalServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    received.push({ method: String(request.method), path: String(request.url), headers, body });
    respond(request, response);
    news.emit("received");
  });
  return { ...local, received, got };
}

/** Creates a list of received requests, and a function that waits until there are a number of them. */
export function receivedRequests() {
  const received: ReceivedRequest[] = [];
  const news = new EventEmitter();
  const got = async (count: number): Promise<void> => {
    while (received.length < count) await once(news, "received");
  };
  return { received, news, got };
}
