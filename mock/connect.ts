/**
 * A mock server in another process, used like a mock in the same process whose methods return promises.
 *
 * @module mock/connect
 */
import { parseBaseUrl } from "../src/values/urls.ts";
import type { Mock } from "./api/mock.ts";
import { type ControlCall, ControlError, controlCall } from "./control/client.ts";
import { type CollectionName, collections } from "./control/collections.ts";
import type { MockNames, PackagedNames } from "./generated/names.ts";
import { type FieldType, integerFrom, reference, requireOptions, text } from "./options/options.ts";
import type { MockWebhooks } from "./webhooks/webhooks.ts";

/** Options for `connectMock`. */
export interface ConnectOptions {
  /** Password of the control API, if the server has one. */
  readonly password?: string | undefined;
  /**
   * Maximum time for a response of the server, in milliseconds. Defaults to 5,000.
   * `webhooks.idle` and `clock.advance`, which wait for deliveries, have only the limit of `fetch`: 300 seconds in Node.js.
   */
  readonly timeout?: number | undefined;
}

const CONNECT_OPTIONS: Readonly<Record<keyof ConnectOptions, FieldType>> = {
  password: text,
  timeout: integerFrom(1, 2 ** 31 - 1),
};

/** The members of a mock, with the result of each method and the value of each property that holds no methods in a promise. */
export type Asynchronous<Members> = {
  readonly [Name in keyof Members]: Members[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : Name extends "assumptions" | "baseUrls" | "count" | "size" | "versions"
      ? Promise<Members[Name]>
      : Asynchronous<Members[Name]>;
};

/** A mock that runs behind a server. */
export interface ConnectedMock<Names extends MockNames = PackagedNames>
  extends Asynchronous<Omit<Mock<Names>, "fetch" | "setNext" | "webhooks">> {
  /** The webhooks that the mock sends. It has no `receive`: give an endpoint the URL of a server that receives deliveries. */
  readonly webhooks: Asynchronous<Omit<MockWebhooks<Names["eventType"]>, "receive">>;
  /** The URL of the server without a trailing slash, for `baseUrl` of a client. */
  readonly url: string;
}

/**
 * Connects to a server in another process. The result has the members of a mock in the same process, except `fetch`; each
 * method returns a promise, and each value is one: `await mock.reset()`, `await mock.events.size`. The first call tells
 * whether the server can be reached.
 *
 * @example
 * ```ts
 * const mock = connectMock("http://127.0.0.1:4010");
 * const accessToken = await mock.issueToken();
 * const billing = createClient({ accessToken, baseUrl: mock.url });
 * ```
 * @throws TypeError when the URL or an option is invalid. Methods reject with a TypeError for invalid input, and with an Error
 * when the server cannot be reached or requires another password.
 */
export function connectMock<Names extends MockNames = PackagedNames>(
  url: string,
  options: ConnectOptions = {},
): ConnectedMock<Names> {
  const address = addressIn(url);
  requireOptions("connectMock", options, CONNECT_OPTIONS);
  const { password, timeout = 5_000 } = options;
  const call: ControlCall = async (key, request) => {
    const isWaiting = key === "POST /webhooks/idle" || key === "POST /clock/advance";
    try {
      return await controlCall({ url: address, password, timeout: isWaiting ? undefined : timeout })(key, request);
    } catch (error) {
      throw connectionError(error, address, timeout);
    }
  };
  return connected(address, call);
}

function addressIn(url: string): string {
  const address = parseBaseUrl(url);
  if (address?.startsWith("http:")) return address;
  const example = 'without a user name, a password, a query or a fragment, such as "http://127.0.0.1:4010"';
  throw new TypeError(`connectMock: \`url\` must be an http: URL ${example}.`);
}

/** Returns the error to throw for a failed call: input that the mock rejects, or a server that cannot be used. */
function connectionError(error: unknown, url: string, timeout: number): Error {
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
  if (cause?.code === "UND_ERR_HEADERS_TIMEOUT") {
    const advice = "Call `clock.advance({ seconds: 0 })` to keep waiting.";
    return fail(`the mock at ${url} is still working, but \`fetch\` has reached its time limit. ${advice}`);
  }
  if (cause === undefined) return new TypeError(`connectMock: ${message}`);
  return fail(`cannot reach a mock server at ${url} (${cause.code ?? String(cause)}).`);
}

function connected(url: string, call: ControlCall): ConnectedMock<MockNames> {
  return {
    url,
    get baseUrls() {
      return quiet(call("GET /about").then(({ baseUrls }) => baseUrls));
    },
    get assumptions() {
      return quiet(call("GET /assumptions"));
    },
    setAssumptions: (body = {}) => call("PUT /assumptions", { body }),
    get versions() {
      return quiet(call("GET /versions"));
    },
    release: () => call("POST /release"),
    issueToken: async (body = {}) => (await call("POST /tokens", { body })).token,
    revokeToken: (token) => call("POST /tokens/revoke", { body: { token } }),
    ...writable(call),
    events: readable("events", "/events", call),
    webhooks: {
      emit: async (type, data, options = {}) => {
        requireOptions("webhooks.emit", options, { organization: reference });
        return call("POST /webhooks/emit", { body: { type, data, ...options } });
      },
      events: readable("webhookEvents", "/webhooks/events", call),
      deliveries: readable("deliveries", "/webhooks/deliveries", call),
      redeliver: (id) => call("POST /webhooks/events/{id}/redeliver", { id }),
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
        return quiet(call("GET /counts").then(({ requests }) => requests));
      },
      list: (query = {}) => call("GET /requests", { query }),
      to: (operation) => call("GET /requests", { query: { operation } }),
      last: (query = {}) => call("GET /requests/last", { query }),
      clear: async () => void (await call("DELETE /requests")),
    },
    checkpoint: () => call("POST /checkpoint"),
    reset: () => call("POST /reset"),
  };
}

/** Returns the promise of a property. Copying or printing the object also reads it, which must not end the process. */
function quiet<Value>(value: Promise<Value>): Promise<Value> {
  value.catch(() => undefined);
  return value;
}

type Name = CollectionName | "events" | "webhookEvents" | "deliveries";

/** Calls routes whose path is known only here. */
type AnyCall = (key: string, request?: object) => Promise<never>;

function readable<Members>(name: Name, path: string, call: ControlCall): Members {
  const send = call as AnyCall;
  const members = {
    get size() {
      return quiet(call("GET /counts").then((counts) => counts[name]));
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
    return [name, Object.assign(readable<object>(name as Name, path, call), members)];
  });
  return Object.fromEntries(entries);
}

export type * from "./api/mock.ts";
