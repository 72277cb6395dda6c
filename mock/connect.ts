/**
 * A mock server in another process, used like a mock in the same process whose methods return promises.
 *
 * @module mock/connect
 */
import { parseBaseUrl } from "../src/values/urls.ts";
import type { Mock } from "./api/mock.ts";
import type { Assumptions } from "./assumptions/assumptions.ts";
import { COLLECTIONS, type CollectionName, type ControlCall, ControlError, controlCall } from "./control/client.ts";
import type { MockNames, PackagedNames } from "./generated/names.ts";
import type { RecordedRequest } from "./journal/journal.ts";
import type { SupportedVersions } from "./lifecycle/versions.ts";
import { requireOptions, text } from "./options/field-types.ts";
import type { MockWebhooks } from "./webhooks/webhooks.ts";

/** Options for `connectMock`. */
export interface ConnectOptions {
  /** Password of the control API, if the server has one. */
  readonly password?: string | undefined;
}

/** The members of a mock, with the result of each method and the value of each property that holds no methods in a promise. */
export type Asynchronous<Members> = {
  readonly [Name in keyof Members]: Members[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : Name extends "assumptions" | "count" | "size" | "versions"
      ? Promise<Members[Name]>
      : Asynchronous<Members[Name]>;
};

/** The members of a mock that need its process. */
type InProcess = "baseUrls" | "fetch" | "setNext";

/** A mock that runs behind a server. */
export interface ConnectedMock<Names extends MockNames = PackagedNames>
  extends Asynchronous<Omit<Mock<Names>, InProcess | "webhooks">> {
  /** The webhooks that the mock sends. It has no `receive`: give an endpoint the URL of a server that receives deliveries. */
  readonly webhooks: Asynchronous<Omit<MockWebhooks<Names["eventType"]>, "receive">>;
  /** The URL of the server without a trailing slash, for `baseUrl` of a client. */
  readonly url: string;
}

/**
 * Connects to a server in another process. The result has the members of a mock in the same process, except `baseUrls`,
 * `fetch` and `setNext`; each method returns a promise, and each value is one: `await mock.reset()`, `await mock.events.size`.
 * The first call tells whether the server can be reached.
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
  requireOptions("connectMock", options, { password: text });
  const send = controlCall(address, options.password);
  const call: ControlCall = (key, request) =>
    send(key, request).catch((error: unknown) => {
      throw connectionError(error as Error, address);
    }) as Promise<never>;
  return connected(address, call);
}

function addressIn(url: string): string {
  const address = parseBaseUrl(url);
  if (address?.startsWith("http:")) return address;
  const example = 'without a user name, a password, a query or a fragment, such as "http://127.0.0.1:4010"';
  throw new TypeError(`connectMock: \`url\` must be an http: URL ${example}.`);
}

/** Returns the error to throw for a failed call: input that the mock rejects, or a server that cannot be used. */
function connectionError(error: Error, url: string): Error {
  const { message, cause } = error as Error & { readonly cause?: { readonly code?: string } };
  const fail = (message: string) => new Error(message, { cause: error });
  if (!(error instanceof ControlError)) {
    if (cause === undefined) return new TypeError(message);
    const advice = "Start one with npx @billing-service/sdk mock.";
    return fail(`cannot reach a mock server at ${url} (${cause.code ?? String(cause)}). ${advice}`);
  }
  if (error.code === "InvalidInput") return new TypeError(message);
  if (error.code === "PasswordRequired") {
    const advice = "Check `password`, or BILLING_MOCK_PASSWORD.";
    return fail(`the control API at ${url} requires a password; it was missing or wrong. ${advice}`);
  }
  if (error.code !== undefined && error.status !== 401) return fail(message);
  return fail(`no control API at ${url}. Check the URL, and that the server runs without --no-control.`);
}

function connected(url: string, call: ControlCall): ConnectedMock<MockNames> {
  const collections = Object.fromEntries(
    Object.entries(COLLECTIONS).map(([name, path]) => [name, writable(path, call)]),
  );
  return {
    url,
    get assumptions() {
      return quiet(call<Assumptions>("GET /assumptions"));
    },
    setAssumptions: (body = {}) => call("PUT /assumptions", { body }),
    get versions() {
      return quiet(call<SupportedVersions>("GET /versions"));
    },
    release: () => call("POST /release"),
    issueToken: async (body = {}) => (await call<{ readonly token: string }>("POST /tokens", { body })).token,
    revokeToken: (token) => call("POST /tokens/revoke", { body: { token } }),
    ...(collections as unknown as Pick<ConnectedMock, CollectionName>),
    events: readable("/events", call),
    webhooks: {
      emit: (type, data, options) => call("POST /webhooks/emit", { body: { ...options, type, data } }),
      events: readable("/webhooks/events", call),
      deliveries: readable("/webhooks/deliveries", call),
      redeliver: (id) => call("POST /webhooks/events/{id}/redeliver", { id }),
      idle: () => call("POST /webhooks/idle"),
    },
    clock: {
      now: async () => new Date((await call<{ readonly now: string }>("GET /clock")).now),
      advance: async (body) => new Date((await call<{ readonly now: string }>("POST /clock/advance", { body })).now),
    },
    fault: (body) => call("POST /faults", { body }),
    faults: {
      list: () => call("GET /faults"),
      remove: (id) => call("DELETE /faults/{id}", { id }),
      clear: async () => void (await call("DELETE /faults")),
    },
    requests: {
      get count() {
        return quiet(countOf("/requests", call));
      },
      list: (query) => call("GET /requests", { query }),
      to: (operation) => call("GET /requests", { query: { operation } }),
      last: async (query) =>
        (await call<readonly RecordedRequest[]>("GET /requests", { query: { ...query, newest: 1 } }))[0],
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

async function countOf(path: string, call: ControlCall): Promise<number> {
  return (await call<readonly unknown[]>(`GET ${path}`)).length;
}

/** Returns the members of a collection that a test can read. */
function readable<Members>(path: string, call: ControlCall): Members {
  const members = {
    get size() {
      return quiet(countOf(path, call));
    },
    get: (id: string) => call(`GET ${path}/{id}`, { id }),
    list: () => call(`GET ${path}`),
  };
  return members as Members;
}

/** Returns the members of a collection that a test can write to. */
function writable(path: string, call: ControlCall): object {
  return Object.assign(readable<object>(path, call), {
    create: (body: object = {}) => call(`POST ${path}`, { body }),
    update: (id: string, body: object) => call(`PATCH ${path}/{id}`, { id, body }),
    delete: (id: string) => call(`DELETE ${path}/{id}`, { id }),
  });
}

export type * from "./api/mock.ts";
