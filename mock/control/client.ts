import { toJson } from "../../src/values/json.ts";

/** The path of the control API on the server of a mock. */
export const CONTROL_PATH = "/__mock";

/** The collections that a test can write to, with their paths. */
export const COLLECTIONS = {
  organizations: "/organizations",
  users: "/users",
  customers: "/customers",
  oauthClients: "/oauth-clients",
  products: "/products",
  webhookEndpoints: "/webhook-endpoints",
} as const;

/** The name of a collection that a test can write to. */
export type CollectionName = keyof typeof COLLECTIONS;

/** What a caller sends to a route. */
interface SentRequest {
  readonly id?: string;
  readonly query?: object | undefined;
  readonly body?: object;
}

/** Calls a route of the control API: `call("DELETE /faults/{id}", { id })`. The caller knows the type of its result. */
export type ControlCall = <Result>(route: string, request?: SentRequest) => Promise<Result>;

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

/**
 * Returns a function that calls the control API of a server. It throws a ControlError for an error response, and what
 * `fetch` throws when the server cannot be reached. A record that does not exist is undefined, or false when it is deleted.
 *
 * @param url The server's base URL, without a trailing slash; empty for a page's own server.
 */
export function controlCall(url: string, password?: string): ControlCall {
  return async (route, { id = "", query = {}, body } = {}) => {
    const [method = "", path = ""] = route.split(" ");
    if (path.includes("{id}") && NOT_IDS.has(id)) throw new TypeError(`${path}: the id is missing; received "${id}".`);
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const response = await fetch(`${url}${CONTROL_PATH}${path.replace("{id}", encodeURIComponent(id))}?${search}`, {
      method,
      headers: { Accept: "application/json", ...(password !== undefined && { Authorization: basic(password) }) },
      body: body === undefined ? null : toJson(body, "the body"),
    });
    return resultOf(response, method === "DELETE");
  };
}

/** These would name the whole collection: a URL parser resolves dots, also encoded ones. */
const NOT_IDS: ReadonlySet<string> = new Set(["", ".", ".."]);

/** Encodes a password as Basic credentials in UTF-8, because a header cannot contain every character. */
function basic(password: string): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`:${password}`)))}`;
}

async function resultOf<Result>(response: Response, isDelete: boolean): Promise<Result> {
  const text = await response.text();
  if (response.status === 204) return (isDelete || undefined) as Result;
  const value = parse(text);
  if (response.ok && value !== undefined) return value as Result;
  const { error, detail } = Object(value) as { readonly error?: string; readonly detail?: string };
  if (error === "UnknownId") return (isDelete ? false : undefined) as Result;
  throw new ControlError(response.status, detail === undefined ? undefined : error, detail ?? text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
