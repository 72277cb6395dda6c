import { fill } from "../control/match.ts";
import type { ControlRoute } from "../control/route.ts";
import { CONTROL_PATH, controlRoutes } from "../control/routes.ts";
import { askNow } from "./bridge.ts";
import type { Asked, Told } from "./messages.ts";

/** The address and credentials of a server. */
export interface Connection {
  /** Its address, without a slash at the end. */
  readonly url: string;
  readonly password: string | undefined;
  /** Maximum time for a response, in milliseconds. */
  readonly timeout: number;
}

/** The request of a control call. */
export interface Sent {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

/** How many items of a list are asked for at a time. */
const PAGE = 5_000;

/** Calls the control interface of a server, and waits for the outcome. */
export type Caller = (name: string, sent?: Sent) => unknown;

const routes = new Map(controlRoutes.map((route) => [route.name, route]));

/** Makes the caller of a connection. */
export function callerOf(connection: Connection): Caller {
  return (name, sent = {}) => {
    const route = routes.get(name) as ControlRoute;
    if (Object.values(sent.parameters ?? {}).some((id) => typeof id !== "string" || id === "")) return nothing(route);
    const first = requestOf(route, sent, connection);
    return route.query?.includes("limit") ? everyPage(first, route, connection) : ask(first, route, connection).value;
  };
}

interface HandledRequest {
  readonly value: unknown;
  readonly link: string | undefined;
}

function ask(asked: Asked, route: ControlRoute, connection: Connection): HandledRequest {
  const told = askNow(asked);
  return { value: outcome(told, route, connection), link: "link" in told ? told.link : undefined };
}

/** All items of a list, from one page after another. */
function everyPage(first: Asked, route: ControlRoute, connection: Connection): readonly unknown[] {
  const items: unknown[] = [];
  for (let asked: Asked | undefined = first; asked; ) {
    const { value, link } = ask(asked, route, connection);
    for (const item of value as readonly unknown[]) items.push(item);
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(link ?? "") ?? [];
    asked = next === undefined ? undefined : { ...asked, url: connection.url + next };
  }
  return Object.freeze(items);
}

/** The outcome for a record that cannot be: without an id, the path would be that of all records. */
function nothing({ absent, path }: ControlRoute): unknown {
  if (absent) return absent.value;
  throw new TypeError(`connectMock: ${path} needs an id that is a text, not empty.`);
}

/** Calls the control interface without blocking, and for as long as it takes. */
export async function callLater(name: string, connection: Connection): Promise<unknown> {
  const route = routes.get(name) as ControlRoute;
  const { url, method, headers } = requestOf(route, {}, connection);
  const response = await fetch(url, { method, headers });
  return outcome({ status: response.status, text: await response.text() }, route, connection);
}

function requestOf(
  route: ControlRoute,
  { parameters = {}, query: given = {}, body }: Sent,
  connection: Connection,
): Asked {
  const { url, password, timeout } = connection;
  const query = route.query?.includes("limit") ? { ...given, limit: PAGE } : given;
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  return {
    url: `${url}${CONTROL_PATH}${fill(route, parameters)}${search.size > 0 ? `?${search}` : ""}`,
    method: route.method,
    headers: password === undefined ? {} : { authorization: `Bearer ${password}` },
    body: body === undefined ? undefined : JSON.stringify(body, crossing),
    timeout,
  };
}

function crossing(name: string, value: unknown): unknown {
  const stays = typeof value === "function" || typeof value === "bigint" || typeof value === "symbol";
  const endless = typeof value === "number" && !Number.isFinite(value);
  if (!stays && !endless) return value;
  throw new TypeError(
    `connectMock: "${name}" is ${endless ? String(value) : `a ${typeof value}`}, which JSON cannot carry.`,
  );
}

function outcome(told: Told, { absent }: ControlRoute, { url, timeout }: Connection): unknown {
  if ("failure" in told) throw unreachable(told.failure, url, timeout);
  const { status, text } = told;
  if (status === 204) return absent?.value === false ? true : undefined;
  const value = parse(text);
  if (status < 300 && value !== undefined) return value;
  const { error, detail = "" } = (value ?? {}) as { readonly error?: string; readonly detail?: string };
  if (status === 404 && error === "NotFound" && absent) return absent.value;
  if (error === "InvalidInput") throw new TypeError(detail);
  if (status === 401 && error === "Unauthorized" && detail.startsWith("The control")) {
    throw new Error(`connectMock: the control interface at ${url} asks for its password.`);
  }
  if (error === undefined || status === 401) throw new Error(`connectMock: there is no control interface at ${url}.`);
  throw new Error(`connectMock: ${detail}`);
}

function unreachable(failure: string, url: string, timeout: number): Error {
  if (failure !== "ETIMEDOUT") return new Error(`connectMock: no mock can be reached at ${url} (${failure}).`);
  return new Error(`connectMock: the server at ${url} has not answered for ${timeout} ms.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_, value) => (typeof value === "object" ? Object.freeze(value) : value));
  } catch {
    return undefined;
  }
}
