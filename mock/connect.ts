/**
 * A mock server in another process, used like a mock in the same process whose methods return promises.
 *
 * @module mock/connect
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Mock } from "./api/mock.ts";
import { type ControlCall, ControlError, controlCall } from "./control/client.ts";
import { type CollectionName, collections } from "./control/collections.ts";
import { splitAddress } from "./http/request.ts";
import type { RequestFilter } from "./journal/requests.ts";
import { type FieldKind, integerFrom, requireOptions, status, text } from "./options/options.ts";
import { SocketRequest } from "./server/socket.ts";
import type { Snapshot } from "./state/state.ts";
import { requireEmitOptions } from "./webhooks/emit.ts";
import type { WebhookHandler } from "./webhooks/send.ts";

/** Options for `connectMock`. */
export interface ConnectOptions {
  /** Password of the control API, if the server has one. */
  readonly password?: string | undefined;
  /**
   * Maximum time for a response of the server, in milliseconds. Defaults to 5,000. `webhooks.idle` and `clock.advance`, which
   * wait for deliveries, have no limit.
   */
  readonly timeout?: number | undefined;
}

const CONNECT_OPTIONS: Readonly<Record<keyof ConnectOptions, FieldKind>> = {
  password: text,
  timeout: integerFrom(1, 2 ** 31 - 1),
};

/** The members of a mock, with the result of each method and the value of each property that holds no methods in a promise. */
export type Asynchronous<Members> = {
  readonly [Name in keyof Members]: Members[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result extends () => void ? () => Promise<void> : Awaited<Result>>
    : Name extends "assumptions" | "baseUrls" | "count" | "size" | "versions"
      ? Promise<Members[Name]>
      : Asynchronous<Members[Name]>;
};

/** A mock that runs behind a server. */
export interface ConnectedMock extends Asynchronous<Omit<Mock, "fetch">>, Pick<Mock, "fetch"> {
  /** The URL of the server without a trailing slash, for `baseUrl` of a client. */
  readonly url: string;
}

/**
 * Connects to a server in another process. The result has the members of a mock in the same process; each method returns a
 * promise, and each value is one: `await mock.reset()`, `await mock.events.size`. The first call tells whether the server can
 * be reached.
 *
 * @example
 * ```ts
 * const mock = connectMock("http://127.0.0.1:4010");
 * const billing = createClient({ accessToken: await mock.issueToken(), baseUrl: mock.url });
 * ```
 * @throws TypeError when the URL or an option is invalid. Methods reject with a TypeError for invalid input, and with an Error
 * when the server cannot be reached or requires another password.
 */
export function connectMock(url: string, options: ConnectOptions = {}): ConnectedMock {
  const address = addressIn(url);
  requireOptions("connectMock", options, CONNECT_OPTIONS);
  const { password, timeout = 5_000 } = options;
  const headers: Record<string, string> = password === undefined ? {} : { Authorization: `Bearer ${password}` };
  const call: ControlCall = async (key, request) => {
    const isWaiting = key === "POST /webhooks/idle" || key === "POST /clock/advance";
    const signal = isWaiting ? undefined : AbortSignal.timeout(timeout);
    try {
      return await controlCall({ url: address, headers, signal })(key, request);
    } catch (error) {
      throw explain(error, address, timeout);
    }
  };
  return connected(address, call);
}

function addressIn(url: string): string {
  const parsed = URL.parse(url);
  if (parsed?.protocol === "http:") return parsed.origin + parsed.pathname.replace(/\/+$/, "");
  throw new TypeError(`connectMock: \`url\` must be an http: URL, such as "http://127.0.0.1:4010"; received "${url}".`);
}

/** Returns the error to throw for a failed call: input that the mock rejects, or a server that cannot be used. */
function explain(error: unknown, url: string, timeout: number): Error {
  const fail = (message: string) => new Error(`connectMock: ${message}`, { cause: error });
  if (error instanceof ControlError) {
    const { status, code, message } = error;
    if (code === "InvalidInput") return new TypeError(message);
    if (code === "PasswordRequired") {
      return fail(
        `the control API at ${url} requires a password; it was missing or wrong. Check the option \`password\`.`,
      );
    }
    if (code === undefined || status === 401) {
      return fail(`no control API at ${url}. Check the URL, and that the server runs without --no-control.`);
    }
    return fail(message);
  }
  const { name, message, cause } = error as Error & { readonly cause?: { readonly code?: string } };
  if (name === "TimeoutError") return fail(`the server at ${url} did not respond within ${timeout} ms.`);
  if (cause === undefined) return new TypeError(`connectMock: ${message}`);
  return fail(`cannot reach a mock server at ${url} (${cause.code ?? String(cause)}).`);
}

function connected(url: string, call: ControlCall): ConnectedMock {
  const about = () => call("GET /about");
  return {
    url,
    fetch: async (input, init) => sendToServer(url, (await about()).baseUrls, input, init),
    get baseUrls() {
      return about().then(({ baseUrls }) => baseUrls);
    },
    get assumptions() {
      return call("GET /assumptions");
    },
    setAssumptions: (body = {}) => call("PUT /assumptions", { body }),
    get versions() {
      return call("GET /versions");
    },
    release: () => call("POST /release"),
    issueToken: async (body = {}) => (await call("POST /tokens", { body })).token,
    revokeToken: (token) => call("POST /tokens/revoke", { body: { token } }),
    ...writable(call),
    events: readable("events", "/events", call),
    webhooks: {
      emit: async (type, data, options = {}) => {
        requireEmitOptions(options);
        return call("POST /webhooks/emit", { body: { type, data, ...options } });
      },
      events: readable("webhookEvents", "/webhooks/events", call),
      deliveries: readable("deliveries", "/webhooks/deliveries", call),
      redeliver: (id) => call("POST /webhooks/events/{id}/redeliver", { id }),
      receive: (address, handler) => receive(call, address, handler),
      idle: () => call("POST /webhooks/idle"),
    },
    clock: {
      now: async () => new Date((await call("GET /clock")).now),
      advance: async (body) => new Date((await call("POST /clock/advance", { body })).now),
    },
    fault: (body) => call("POST /faults", { body }),
    faults: {
      list: () => call("GET /faults"),
      remove: (id) => call("DELETE /faults/{id}", { id }),
      clear: async () => void (await call("DELETE /faults")),
    },
    requests: {
      get count() {
        return call("GET /requests/count");
      },
      list: (filter = {}) => call("GET /requests", { query: queryOf(filter) }),
      to: (operation) => call("GET /requests", { query: { operation } }),
      last: (filter = {}) => call("GET /requests/last", { query: queryOf(filter) }),
      clear: async () => void (await call("DELETE /requests")),
    },
    snapshot: async () => snapshotOf((await call("POST /snapshots")).id, url),
    restore: async (snapshot) => call("POST /snapshots/{id}/restore", { id: idOf(snapshot, url) }),
    reset: () => call("POST /reset"),
  };
}

/** Numbers become strings in a query. */
function queryOf({ status, ...filter }: RequestFilter) {
  return { ...filter, status: status === undefined ? undefined : String(status) };
}

type Name = CollectionName | "events" | "webhookEvents" | "deliveries";

/** Calls rows whose path is known only here. */
type AnyCall = (key: string, request?: object) => Promise<never>;

function readable<Members>(name: Name, path: string, call: ControlCall): Members {
  const send = call as AnyCall;
  const members = {
    get size() {
      return call("GET /counts").then((counts) => counts[name]);
    },
    get: (id: string) => send(`GET ${path}/{id}`, { id }),
    list: () => send(`GET ${path}`),
  };
  return members as Members;
}

/** Returns the collections that a test can write to, by name. */
function writable(call: ControlCall): Pick<ConnectedMock, CollectionName> {
  const send = call as AnyCall;
  const entries = Object.entries(collections).map(([name, { path }]) => {
    const members = {
      create: (body: object = {}) => send(`POST ${path}`, { body }),
      update: (id: string, body: object) => send(`PATCH ${path}/{id}`, { id, body }),
      delete: (id: string) => send(`DELETE ${path}/{id}`, { id }),
    };
    const reading = Object.getOwnPropertyDescriptors(readable<object>(name as Name, path, call));
    return [name, Object.defineProperties(members, reading)];
  });
  return Object.fromEntries(entries);
}

/** Sends a request to a server, without the path of a base URL of the service. */
function sendToServer(
  url: string,
  baseUrls: readonly string[],
  input: Request | string | URL,
  init: RequestInit | undefined,
): Promise<Response> {
  const prefixes = baseUrls.filter((baseUrl) => new URL(baseUrl).pathname !== "/");
  const { path, search } = splitAddress(input instanceof Request ? input.url : new URL(input).href, prefixes);
  const target = `${url}${path}${search ? `?${search}` : ""}`;
  return fetch(input instanceof Request ? new Request(target, input) : target, init);
}

interface Receiver {
  readonly url: string;
  readonly handler: WebhookHandler;
}

const receivers = new Map<string, Receiver>();

/** The origin at which this process receives deliveries. */
let receiverOrigin: Promise<string> | undefined;

/** Passes the deliveries to a URL to a function of this process: the server sends them to a port of this machine. */
async function receive(call: ControlCall, url: string, handler: WebhookHandler): Promise<() => Promise<void>> {
  if (typeof handler !== "function") throw new TypeError("webhooks.receive: `handler` must be a function.");
  receiverOrigin ??= listen();
  const path = `/${crypto.randomUUID()}`;
  receivers.set(path, { url, handler });
  const { id } = await call("POST /webhooks/receivers", { body: { url, to: (await receiverOrigin) + path } });
  return async () => {
    receivers.delete(path);
    await call("DELETE /webhooks/receivers/{id}", { id });
  };
}

/** Listens on a free port, without keeping the process alive. */
async function listen(): Promise<string> {
  const { createServer } = await import("node:http");
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as { readonly port: number }).port}`;
}

/** The longest delivery that is received, in bytes: twice what the control API takes for an event. */
const MAX_BODY_BYTES = 128 * 1024 * 1024;

/** Passes a delivery to its handler. What it returns is checked: as a user's function, it may return something else. */
async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = "POST", headers, url: path = "" } = incoming;
  const receiver = receivers.get(path);
  const body = await new SocketRequest(incoming, outgoing, MAX_BODY_BYTES).arrayBuffer();
  if (!receiver) return void outgoing.writeHead(404).end();
  if (body.byteLength > MAX_BODY_BYTES) return void outgoing.writeHead(413).end();
  try {
    const init = { method, headers: withoutTransport(headers), body: body as Uint8Array<ArrayBuffer> };
    const response = await receiver.handler(new Request(receiver.url, init));
    if (!status.fits(response?.status)) throw new TypeError("The handler did not return a Response.");
    const text = await response.text().catch(() => "");
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(text);
  } catch (error) {
    outgoing.writeHead(500).end(String(error));
  }
}

/** Removes the headers that describe the connection. */
function withoutTransport(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const { host: _, connection: __, "content-length": ___, "transfer-encoding": ____, ...rest } = headers;
  return rest as Record<string, string>;
}

const snapshotIds = new WeakMap<object, { readonly id: string; readonly url: string }>();

/** Creates a snapshot object that stands for a state on the server. */
function snapshotOf(id: string, url: string): Snapshot {
  const snapshot = Object.freeze({}) as Snapshot;
  snapshotIds.set(snapshot, { id, url });
  return snapshot;
}

function idOf(snapshot: Snapshot, url: string): string {
  const saved = snapshotIds.get(snapshot);
  if (saved?.url === url) return saved.id;
  throw new TypeError("restore: the snapshot belongs to another mock.");
}

export type * from "./api/public-types.ts";
