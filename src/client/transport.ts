import ky from "ky";
import type { KyInstance as Ky2, Options } from "ky-2";
import { Checks } from "../errors/checks.ts";
import type { ClientOptions, KyInstance, Transport, TransportRequest, TransportResponse } from "./options.ts";

/** A function like `fetch` that receives a complete request. */
export type FetchFunction = (request: Request) => Promise<Response>;

/**
 * Creates the transport that sends requests with `fetch`. A redirect is returned, not followed.
 *
 * ky receives an absolute URL and does not retry, time out, call hooks or read the body. Its custom `fetch` sends the
 * request unchanged, so that ky never sees the token and only the request decides where it goes. It is ky 1,
 * because ky 2 would add 3.8 kB and nothing that is needed here.
 *
 * @param fetch Defaults to the global `fetch`.
 */
function fetchTransport(fetch: FetchFunction | undefined): Transport {
  return {
    send: (request) => ky(request.url, { ...UNTOUCHED, fetch: lastStep(request, fetch) }),
  };
}

/**
 * ky never sends the `Request` that it creates, so it gets neither a method nor headers: it copies each option several times.
 * A body that a property of `Object.prototype` adds would make it fail.
 */
const UNTOUCHED = { retry: 0, timeout: false, throwHttpErrors: false, json: undefined, body: null } as const;

/** The options of each request. Node.js requires `duplex` for a body that is a stream. */
const FIXED = { redirect: "manual", duplex: "half" } as const;

/** Creates ky's `fetch`. The global `fetch` is looked up for each request, since a tool may replace it. */
function lastStep(request: TransportRequest, fetch: FetchFunction | undefined): () => Promise<Response> {
  const { operation, url, method, headers, body, signal } = request;
  // Without a prototype, so that in browsers, no property of `Object.prototype` counts as an option. Node.js reads those that
  // are missing here from `Object.prototype` even so; the ones that matter are always set.
  // If a kept-alive connection is lost, Deno's `fetch` repeats the request, even a POST, unless its body is a stream.
  const content = "Deno" in globalThis && body ? new Blob([body]).stream() : (body ?? null);
  const init = { __proto__: null, ...FIXED, method, headers, signal, body: content } as RequestInit;
  if (fetch === undefined) return () => globalThis.fetch(url, init);
  return async () => {
    return checkResponse("fetch", await fetch(new Request(url, init)), operation);
  };
}

/** Checks what the caller's function returned. A `Response` may have its text instead of a stream. */
export function checkResponse<Received extends TransportResponse>(
  path: string,
  value: Received,
  operation: string,
): Received {
  const { status, headers, body, text } = (value ?? {}) as Partial<TransportResponse & Pick<Response, "text">>;
  const isStream = typeof body === "object" && (body === null || Symbol.asyncIterator in body || "getReader" in body);
  const hasBody = isStream || (!body && typeof text === "function");
  const isResponse = Number.isInteger(status) && typeof headers?.get === "function" && hasBody;
  if (!isResponse)
    new Checks({ operation }).must(false, path, "return a response with status, headers and body", value);
  return value;
}

/**
 * Creates the transport that sends requests with the caller's own instance of ky, which makes the `Request` and applies its
 * hooks, `fetch` and headers. Its retries, timeouts and errors of status are switched off, also for its `init` hooks.
 */
function kyTransport(instance: KyInstance): Transport {
  return {
    send: async (request) => {
      const { operation, url, method, headers, body, signal } = request;
      const { authorization: _added, ...others } = headers;
      const last = (state: { readonly request: Request }) => withOwnHeaders(state.request, request);
      // A call's hook runs after the instance's, so neither an option of the instance nor a hook of it decides.
      let isReady = false;
      let lost: readonly [unknown] | undefined;
      const init = (options: Options): void => {
        isReady = true;
        const { hooks, fetch = globalThis.fetch, signal: theirs } = options;
        const watched: typeof fetch = async (...args) => {
          try {
            return await fetch(...args);
          } catch (error) {
            lost = [error];
            throw error;
          }
        };
        const ours = { method, body, signal: AbortSignal.any(theirs ? [signal, theirs] : [signal]), fetch: watched };
        const beforeRequest = [...(hooks?.beforeRequest ?? []), last];
        Object.assign(options, { ...OURS, ...ours, hooks: { ...hooks, beforeRequest } });
      };
      // Before 2.1, ky has no `init` hooks: without this check, it would send a GET.
      const checkKy = () => new Checks({ operation }).must(isReady, "ky", IS_KY, instance);
      const call: Options = { headers: others, retry: 0, hooks: { init: [init], beforeRequest: [checkKy] } };
      let response: Response;
      try {
        response = await (instance as Ky2)(new URL(url), call);
      } catch (error) {
        // ky wraps the error of a lost connection in one that contains the Request.
        throw lost ? lost[0] : new HookFailure(error);
      }
      return checkResponse("ky", response, operation);
    },
  };
}

const IS_KY = "be ky 2.1 or newer";

/** The options that the client sets for an instance of ky. */
const OURS = {
  json: undefined,
  redirect: "manual",
  retry: { limit: 0 },
  timeout: false,
  totalTimeout: false,
  throwHttpErrors: false,
} as const;

/** Wraps the error of a hook, so that it is not mistaken for a failed request and retried. */
export class HookFailure {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/** Sets what only the client decides, after all hooks of the instance: the token, the version, the format, no redirects. */
function withOwnHeaders(made: Request, { operation, url, headers }: TransportRequest): Request {
  const [expected, received] = [new URL(url).origin, new URL(made.url).origin];
  const requirement = `not send the access token to another origin than ${expected}`;
  new Checks({ operation }).must(received === expected, "ky", requirement, received, String);
  const request = made.redirect === "manual" ? made : new Request(made, { redirect: "manual" });
  for (const name of ["accept", "content-type", "service-version", "authorization"]) {
    const value = headers[name];
    if (value !== undefined) request.headers.set(name, value);
  }
  return request;
}

/** The transport of a client, and the option that it comes from. */
export interface TransportSettings {
  readonly transport: Transport;
  /** The option that replaces the global `fetch`; undefined if none does. */
  readonly replaced: "fetch" | "ky" | "transport" | undefined;
}

/** Returns the transport that the options select. */
export function readTransport(check: Checks, options: ClientOptions): TransportSettings {
  const { fetch, ky: instance, transport } = options;
  const [replaced, other] = (["fetch", "ky", "transport"] as const).filter((name) => options[name] !== undefined);
  if (other) throw check.fail(other, `must not be used together with ${replaced}; pass one of them`);
  if (transport !== undefined) return { transport: check.methods("transport", transport, ["send"], true), replaced };
  if (instance !== undefined) {
    // A function without `extend` is probably a `fetch`, which would ignore the hook that sets the token.
    check.must(typeof instance === "function" && "extend" in instance, "ky", IS_KY, instance);
    return { transport: kyTransport(instance), replaced };
  }
  if (fetch !== undefined) check.function("fetch", fetch);
  return { transport: fetchTransport(fetch), replaced };
}
