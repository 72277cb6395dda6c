import { EventEmitter, once } from "node:events";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, vi } from "vitest";
import type { Hooks } from "../../src/client/index.ts";
import { startLocalServer } from "../support/local-server.ts";
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
  /** Waits until so many requests were replied to. */
  replied(count: number): Promise<void>;
}

/** How one request is answered. */
export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

/** Starts a server that answers the first request by the first reply, and so on; the last one answers all that follow. */
export async function serve(...replies: Reply[]): Promise<Service> {
  const seen: Seen[] = [];
  const news = new EventEmitter();
  const { origin, server } = await startLocalServer(recorder(seen, replies, news));
  const replied = async (count: number): Promise<void> => {
    while (seen.length < count) await once(news, "reply");
  };
  return { baseUrl: origin, seen, server, replied };
}

function recorder(seen: Seen[], replies: Reply[], news: EventEmitter): RequestListener {
  return async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    replies[Math.min(seen.length, replies.length) - 1]?.(response, request);
    news.emit("reply");
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

/** An address where nobody listens, nor will: its port is the near end of a connection that stays open. */
export async function refused(): Promise<string> {
  const { server } = await serve(thing);
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(
    socket.on("error", () => {}),
    "connect",
  );
  return `http://127.0.0.1:${socket.localPort}`;
}

/** Hooks of a client that tell when it waits for the body of an answer: it has all before that by then. */
export function atBody(): { readonly hooks: Hooks; readonly waits: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { hooks: { onResponse: () => void setImmediate(resolve) }, waits: promise };
}

/** Hooks of a client that let its wait before a retry pass, however long it is, where the clock stands still. */
export const passingWaits: Hooks = { onRetry: () => void setImmediate(() => vi.advanceTimersToNextTimer()) };

/** Stops the clock of the client for the rest of the test; time passes when the test says so, on any machine. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Lets a time pass, and proves that a call ends with it, not a millisecond earlier. The clock must have been stopped. */
export async function endsAfter(milliseconds: number, call: Promise<unknown>): Promise<void> {
  let ended = false;
  const end = () => {
    ended = true;
  };
  call.then(end, end);
  vi.advanceTimersByTime(milliseconds - 1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toBe(false);
  vi.advanceTimersByTime(1);
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
