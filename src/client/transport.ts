import ky, { isNetworkError as isKyNetworkError, type Options } from "ky";
import { describeType } from "../errors/describe-value.ts";
import { InvalidInputError } from "../errors/index.ts";
import { checkFunctions } from "./checks.ts";
import type { ClientOptions, Transport, TransportRequest } from "./options.ts";

/** A function like `fetch` that gets a complete request. */
export type FetchFunction = (request: Request) => Promise<Response>;

/**
 * Creates the transport that sends requests with `fetch`. A redirect is returned, not followed.
 *
 * ky gets an absolute address and does not retry, time out, call hooks or read the body. Its custom `fetch` sends the
 * request unchanged, so that ky never sees the token and only the request decides where it goes.
 *
 * @param fetch Defaults to the global `fetch`.
 */
export function fetchTransport(fetch: FetchFunction | undefined): Transport {
  return {
    send: (request) => ky(request.url, { ...unset(), ...UNTOUCHED, fetch: lastStep(request, fetch) }).catch(unwrap),
  };
}

/** ky wraps a lost connection in an error that contains the Request. */
function unwrap(error: unknown): never {
  throw isKyNetworkError(error) ? error.cause : error;
}

/** ky never sends the `Request` that it creates, so it gets neither a method nor headers: it copies each option several times. */
const UNTOUCHED = { retry: 0, timeout: false, throwHttpErrors: false } as const;

/** Values for the options that ky would otherwise read from `Object.prototype`. */
const UNSET: Options = {
  method: "GET",
  baseUrl: "",
  prefix: "",
  searchParams: undefined,
  json: undefined,
  body: null,
  headers: {},
  hooks: {},
};
const UNSET_NAMES = Object.keys(UNSET);

/** Returns those values only if they make a difference. */
function unset(): Options {
  return UNSET_NAMES.some((name) => name in Object.prototype) ? UNSET : {};
}

/** Creates ky's `fetch`. The global `fetch` is looked up for each request, since a tool may replace it. */
function lastStep(request: TransportRequest, fetch: FetchFunction | undefined): () => Promise<Response> {
  const { operation, url, method, headers, body, signal } = request;
  // Without a prototype, so that a property of `Object.prototype` never counts as an option.
  const init = { __proto__: null, method, headers, signal, redirect: "manual", body: body ?? null } as RequestInit;
  if (fetch === undefined) return () => globalThis.fetch(url, init);
  return async () => {
    const response: unknown = await fetch(new Request(url, init));
    if (isResponse(response)) return response;
    throw new InvalidInputError("fetch", `must return a Response; received ${describeType(response)}`, { operation });
  };
}

function isResponse(value: unknown): value is Response {
  if (typeof value !== "object" || value === null) return false;
  const { status, headers, text } = value as { status?: unknown; headers?: { get?: unknown } | null; text?: unknown };
  return typeof status === "number" && typeof headers?.get === "function" && typeof text === "function";
}

/** The transport of a client, and the option that it comes from. */
export interface TransportSettings {
  readonly transport: Transport;
  /** The option that replaces the global `fetch`; undefined if none does. */
  readonly replaced: "fetch" | "transport" | undefined;
}

/** Returns the transport that the options select. */
export function readTransport({ fetch, transport }: ClientOptions): TransportSettings {
  if (transport === undefined) {
    return { transport: fetchTransport(checkFetch(fetch)), replaced: fetch === undefined ? undefined : "fetch" };
  }
  if (fetch === undefined)
    return { transport: checkFunctions("transport", transport, ["send"], true), replaced: "transport" };
  throw new InvalidInputError("transport", "must not be used together with fetch; pass one of them");
}

function checkFetch(value: ClientOptions["fetch"]): ClientOptions["fetch"] {
  if (value === undefined || typeof value === "function") return value;
  throw new InvalidInputError("fetch", `must be a function; received ${describeType(value)}`);
}
