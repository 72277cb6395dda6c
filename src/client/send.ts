import ky, { type Options } from "ky";
import { Checks } from "../errors/checks.ts";
import type { ClientOptions, FetchedResponse, FetchFunction, FetchInit } from "./options.ts";
import type { PreparedRequest } from "./request.ts";

/** Sends what ky has prepared, with the headers of the client. */
export type Send = (
  sent: Request,
  headers: Readonly<Record<string, string>>,
  request: PreparedRequest,
) => Promise<FetchedResponse>;

/** Makes one attempt of a call. */
type MakeAttempt = (sent: Request, send: Send) => Promise<Response>;

/** How a client sends its requests. */
export interface Sending {
  /** Makes a call with ky. */
  readonly ky: (request: PreparedRequest, options: Options, attempt: MakeAttempt) => Promise<Response>;
  /** Whether the caller's ky makes the calls: its hooks may read requests and responses. */
  readonly isOwnKy: boolean;
}

const IS_KY = "be ky 2.1 or newer";

/** Returns how requests are sent according to the options. */
export function readSending(check: Checks, { fetch, ky: own }: ClientOptions): Sending {
  if (fetch !== undefined && own !== undefined)
    throw check.fail("ky", "must not be used together with fetch; pass one of them");
  if (fetch !== undefined) check.function("fetch", fetch);
  // A function without `extend` is probably a `fetch`, which would ignore the hook that sets the token.
  if (own !== undefined) check.must(typeof own === "function" && "extend" in own, "ky", IS_KY, own);
  const send = viaFetch(fetch);
  return {
    ky: own
      ? viaOwnKy(own as typeof ky)
      : ({ url }, options, attempt) => ky(url, { ...options, fetch: (sent) => attempt(sent as Request, send) }),
    isOwnKy: own !== undefined,
  };
}

/** Sends with `fetch(url, init)`, which every implementation understands. The global one is looked up for each request. */
function viaFetch(fetch: FetchFunction | undefined): Send {
  return async ({ method, signal, url }, headers, { body = null }) => {
    // A framework may cache a read. Some runtimes reject an option that they do not have.
    const cache = method === "GET" && "cache" in Request.prototype ? ({ cache: "no-store" } as const) : {};
    const init = { method, headers, body, signal, redirect: "manual", ...cache } as const;
    if (fetch === undefined) return globalThis.fetch(url, { ...init, ...streamed(body) });
    return callOwn(fetch, url, init);
  };
}

/** If a kept-alive connection is lost, Deno repeats a request, even a POST, unless its body is a stream. */
function streamed(body: FetchInit["body"]): RequestInit {
  if (!body || !("Deno" in globalThis)) return {};
  return { body: new Blob([body]).stream(), duplex: "half" } as RequestInit;
}

/** Functions that take a `Request`, as their first call showed. */
const takeRequest = new WeakSet<FetchFunction>();

/**
 * Calls the caller's `fetch`. One that was written for a `Request` has a single parameter, and with a URL it would send no
 * method, token or body, or throw an error. It is called again with a `Request`.
 */
async function callOwn(fetch: FetchFunction, url: string, init: FetchInit): Promise<FetchedResponse> {
  // In a test of a read, a function may ignore the rest.
  if (fetch.length !== 1 || (init.method === "GET" && !takeRequest.has(fetch))) return fetch(url, init);
  const fetchRequest = fetch as (request: Request | string, init?: FetchInit) => ReturnType<FetchFunction>;
  if (!takeRequest.has(fetch)) {
    let isRead = false;
    const get = (target: FetchInit, name: keyof FetchInit) => {
      isRead = true;
      return target[name];
    };
    try {
      const received = await fetchRequest(url, new Proxy(init, { get: get as never }));
      if (isRead) return received;
    } catch (error) {
      if (isRead) throw error;
    }
  }
  const received = await fetchRequest(new Request(url, init as RequestInit));
  takeRequest.add(fetch);
  return received;
}

/** Returns a `Response` for what the caller's `fetch` returned: without a body, which is read before, if it is another object. */
export function asResponse(received: FetchedResponse): Response {
  if (Object.prototype.toString.call(received) === "[object Response]") return received as Response;
  return new Response(null, { status: received.status, headers: [...received.headers] });
}

/**
 * Makes a call with the caller's own ky, which makes the `Request` and applies its hooks, `fetch` and headers. An init hook
 * that runs after the instance's sets everything else, so that no option or hook of the instance decides it.
 */
function viaOwnKy(own: typeof ky): Sending["ky"] {
  return ({ operation, url, body }, { headers, signal, ...ours }, attempt) => {
    let isNew = false;
    const init = (options: Options): void => {
      isNew = true;
      const { fetch = globalThis.fetch } = options;
      const send = viaRequest(fetch);
      Object.assign(options, ours, { json: undefined, body, throwHttpErrors: true });
      options.fetch = (sent) => attempt(sent as Request, send);
    };
    // Before 2.1, ky has no init hooks: without this check, it would send a GET.
    const checkKy = () => new Checks({ operation }).must(isNew, "ky", IS_KY, own);
    return own(new URL(url), {
      ...(headers && { headers }),
      ...(signal && { signal }),
      retry: 0,
      hooks: { init: [init], beforeRequest: [checkKy] },
    });
  };
}

/** Sends with the `fetch` of the caller's ky, which expects a `Request`. The token does not leave the service's origin. */
function viaRequest(fetch: typeof globalThis.fetch): Send {
  return async (sent, headers, { operation, url }) => {
    const [expected, received] = [new URL(url).origin, new URL(sent.url).origin];
    const requirement = `not send the access token to another origin than ${expected}`;
    new Checks({ operation }).must(received === expected, "ky", requirement, received, String);
    const stream = "Deno" in globalThis && sent.body ? { body: sent.body, duplex: "half" } : {};
    return fetch(new Request(sent, { headers, redirect: "manual", ...stream }));
  };
}
