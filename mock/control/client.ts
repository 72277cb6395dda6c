import { readBytes } from "../../src/values/bytes.ts";
import { toJson } from "../../src/values/json.ts";
import type { ControlRoutes } from "./routes.ts";

/** The path of the control API on the server of a mock. */
export const CONTROL_PATH = "/__mock";

/** The request of a route: what its `handle` takes. */
type RequestOf<Key extends keyof ControlRoutes> = ControlRoutes[Key]["handle"] extends (
  request: infer Sent,
  context: never,
) => unknown
  ? Query<Omit<Sent, never>>
  : never;

/** A query may have numbers. */
type Query<Sent> = {
  readonly [Part in keyof Sent]: Part extends "query"
    ? { readonly [Name in keyof Sent[Part]]: Sent[Part][Name] | number }
    : Sent[Part];
};

/** The result of a route. */
export type ResultOf<Key extends keyof ControlRoutes> = ControlRoutes[Key]["handle"] extends (
  request: never,
  context: never,
) => infer Result
  ? Awaited<Result>
  : never;

/** Calls one operation of the control API: `call("DELETE /faults/{id}", { id })`. */
export type ControlCall = <Key extends keyof ControlRoutes>(
  key: Key,
  request?: RequestOf<Key>,
) => Promise<ResultOf<Key>>;

/** An error response of the control API, or a response of something else. */
export class ControlError extends Error {
  override readonly name = "ControlError";
  readonly status: number;
  /** The code of the error; undefined when the response is not from a control API. */
  readonly code: string | undefined;

  constructor(status: number, code: string | undefined, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

/** A server with a control API. */
export interface ControlServer {
  /** The server's base URL, without a trailing slash; empty for the page's own server. */
  readonly url: string;
  /** The password of the control API, if it has one. */
  readonly password?: string | undefined;
  /** Maximum time for each response, in milliseconds. Unlimited by default. */
  readonly timeout?: number | undefined;
}

/**
 * Returns a function that calls the control API of a server. It throws a ControlError for an error response, and what
 * `fetch` throws when the server cannot be reached. A record that does not exist is undefined, or false when it is deleted.
 */
export function controlCall(server: ControlServer): ControlCall {
  const call = async (key: string, { id, query = {}, body }: SentRequest = {}): Promise<unknown> => {
    const [method = "", path = ""] = key.split(" ");
    if (path.includes("{id}") && (typeof id !== "string" || PATHS.includes(id))) return absent(method, path);
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const target = CONTROL_PATH + path.replace("{id}", encodeURIComponent(id ?? ""));
    return send(server, method, search.size > 0 ? `${target}?${search}` : target, body);
  };
  return call as ControlCall;
}

/** Ids that would name a whole collection: a URL parser resolves dots, also encoded ones. */
const PATHS: readonly string[] = ["", ".", ".."];

interface SentRequest {
  readonly id?: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
}

/** Returns the result for an id that no record has, or that cannot be sent in a path. */
function absent(method: string, path: string): false | undefined {
  if (method === "GET") return undefined;
  if (method === "DELETE") return false;
  throw new TypeError(`the id in ${path} must be a non-empty string other than "." and "..".`);
}

/** The maximum length of a response: the journal can have the bodies of a thousand requests. */
const MAX_RESPONSE_BYTES = 500_000_000;

/** Encodes a password as Basic credentials in UTF-8, because a header cannot contain every character. */
export function basicCredentials(password: string): string {
  const bytes = Array.from(new TextEncoder().encode(`:${password}`), (byte) => String.fromCharCode(byte));
  return `Basic ${btoa(bytes.join(""))}`;
}

async function send(
  { url, password, timeout }: ControlServer,
  method: string,
  target: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(url + target, {
    method,
    headers: {
      Accept: "application/json",
      ...(password !== undefined && { Authorization: basicCredentials(password) }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    // With credentials, a browser would show its own password prompt on 401.
    credentials: "omit",
    body: body === undefined ? null : toJson(body, "the body"),
    signal: timeout === undefined ? null : AbortSignal.timeout(timeout),
  });
  const { status } = response;
  const bytes = response.body && (await readBytes(response.body.getReader(), MAX_RESPONSE_BYTES));
  if (bytes === undefined) throw new Error(`the response has more than ${MAX_RESPONSE_BYTES} bytes.`);
  const text = new TextDecoder().decode(bytes ?? undefined);
  if (status === 204) return method === "DELETE" ? true : undefined;
  const value = parse(text);
  if (response.ok && value !== undefined) return value;
  const { error, detail } = (value ?? {}) as { readonly error?: string; readonly detail?: string };
  if (status === 404 && error === "NotFound" && method !== "POST" && method !== "PATCH") return absent(method, target);
  throw new ControlError(status, detail === undefined ? undefined : error, detail ?? text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_, value) => (typeof value === "object" ? Object.freeze(value) : value));
  } catch {
    return undefined;
  }
}
