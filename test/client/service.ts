import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { THING } from "./tiny-contract.ts";

/** A request as it came in over the socket. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A real HTTP server on a free port of the loopback address, closed when the test ends. */
export interface Service {
  readonly baseUrl: string;
  readonly seen: Seen[];
  readonly server: Server;
}

/** How one request is answered. */
export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

/** Starts a server that answers the first request by the first reply, and so on; the last one answers all that follow. */
export async function serve(...replies: Reply[]): Promise<Service> {
  const seen: Seen[] = [];
  const server = createServer(recorder(seen, replies));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, server };
}

function recorder(seen: Seen[], replies: Reply[]): RequestListener {
  return async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    replies[Math.min(seen.length, replies.length) - 1]?.(response, request);
  };
}

/** Answers with JSON under the version that the tests ask for, unless the headers say otherwise. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", "service-version": "2020-01", ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Answers with text as it is. */
export function text(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { "content-type": "text/html", "service-version": "2020-01", ...headers });
    response.end(body);
  };
}

/** Answers with a thing. */
export const thing: Reply = json(200, THING);

/** Takes the request and never answers. */
export const stall: Reply = () => {};

/** Sends the headers and half a body, and nothing more. */
export function stallBody(status = 200): Reply {
  return (response) => {
    response.writeHead(status, {
      "content-type": "application/json",
      "service-version": "2020-01",
      "content-length": "99",
    });
    response.write('{"id":');
  };
}

/** Sends the headers and half a body, then breaks the connection. */
export function breakBody(status = 200): Reply {
  return (response) => {
    stallBody(status)(response, undefined as never);
    setTimeout(() => response.destroy(), 10);
  };
}

/** Breaks the connection in place of an answer. */
export const reset: Reply = (response) => response.socket?.resetAndDestroy();

/** An address where nobody listens. */
export async function refused(): Promise<string> {
  const { server, baseUrl } = await serve(thing);
  await new Promise((resolve) => server.close(resolve));
  return baseUrl;
}

/** What a promise rejects with; fails when it does not. */
export async function failureOf(call: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  const error: unknown = await call.then(
    (value) => new Error(`it did not fail, but gave ${JSON.stringify(value)}`, { cause: "no failure" }),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error) || error.cause === "no failure") throw error;
  return error as Error & Record<string, unknown>;
}

/** What a function throws; fails when it does not. */
export function thrownBy(run: () => unknown): Error & Record<string, unknown> {
  try {
    run();
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  throw new Error("it did not throw");
}
