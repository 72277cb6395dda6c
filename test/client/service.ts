import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, vi } from "vitest";
import type { ClientOptions } from "../../src/client/index.ts";
import { startReceiver } from "../support/local-server.ts";
import { THING, tinyClient } from "./tiny-contract.ts";

/** Responds to one request. */
export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

/** Starts a server that responds with the replies in order, then repeats the last one. `replied` waits for its replies. */
export async function serve(...replies: Reply[]) {
  const service = await startReceiver((request, response) => {
    replies[Math.min(service.received.length, replies.length) - 1]?.(response, request);
  });
  const { origin: baseUrl, received: seen, got: replied, server } = service;
  return { baseUrl, seen, replied, server };
}

/** Starts a server that responds with the replies in order, and creates a client of it. */
export async function clientOf(replies: Reply | readonly Reply[], options: Partial<ClientOptions> = {}) {
  const service = await serve(...[replies].flat());
  return { ...service, client: tinyClient({ baseUrl: service.baseUrl, ...options }) };
}

/** Reads a thing from a server that responds with the replies, and returns the error. */
export async function errorOf(...given: Parameters<typeof clientOf>): ReturnType<typeof failureOf> {
  return failureOf((await clientOf(...given)).client.read("t1"));
}

/** Returns the error of a call that is rejected before anything is sent. */
export async function refused(
  call: (client: ReturnType<typeof tinyClient>) => Promise<unknown>,
  options?: Partial<ClientOptions>,
) {
  const { client, seen } = await clientOf(thing, options);
  const error = await failureOf(call(client));
  expect(seen).toEqual([]);
  return error;
}

/** Creates the `Response` for a `fetch` of the test: a thing, or another body. */
export function respond(body: unknown = THING, status = 200): Response {
  return Response.json(body, { status, headers: { "service-version": "2020-01" } });
}

/** Creates the `Response` of a service of any version that is unavailable for a moment. */
export const unavailable = (): Response => new Response(null, { status: 503, headers: { "retry-after": "0" } });

/** Responds with JSON of the version that the tests request, unless the headers set another. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", "service-version": "2020-01", ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Responds with text. */
export function text(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { "content-type": "text/html", "service-version": "2020-01", ...headers });
    response.end(body);
  };
}

/** Responds with a thing. */
export const thing: Reply = json(200, THING);

/** Accepts the request and never responds. */
export const stall: Reply = () => {};

/** Sends the headers and half of a body, then nothing. */
export function stallBody(status = 200): Reply {
  return (response) => {
    const headers = { "content-type": "application/json", "service-version": "2020-01", "content-length": "99" };
    response.writeHead(status, headers).write('{"id":');
  };
}

/** Sends the headers and half of a body, then resets the connection. */
export function breakBody(status = 200): Reply {
  return (response) => {
    stallBody(status)(response, undefined as never);
    setTimeout(() => response.destroy(), 10);
  };
}

/** Resets the connection instead of responding. */
export const reset: Reply = (response) => response.socket?.resetAndDestroy();

/** Returns a base URL that refuses connections. Its port is the local port of an open connection, so no server can take it. */
export async function closedPort(): Promise<string> {
  const { server } = await serve(thing);
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  return `http://127.0.0.1:${socket.localPort}`;
}

/** Stops the clock of the client for the rest of the test. Time passes only when the test advances it. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
}

/** Returns the error that a promise rejects with. Fails if it does not reject. */
export async function failureOf(call: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  const error: unknown = await call.then(
    () => expect.unreachable("it did not fail"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw error;
  return error as Error & Record<string, unknown>;
}

/** Returns the error that a function throws. Fails if it does not throw. */
export function thrownBy(run: () => unknown): Error & Record<string, unknown> {
  try {
    run();
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  throw new Error("it did not throw");
}
