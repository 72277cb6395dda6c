import {
  type AsyncControlApi,
  asyncControlClient,
  controlClient,
  isPaged,
  nextTarget,
  targetOf,
} from "../control/routes/client.ts";
import type { ControlApi } from "../control/routes/index.ts";
import { PAGE_LIMIT } from "../control/routes/paging.ts";
import { type ControlRequest, type ControlRoute, PASSWORD_REQUIRED } from "../control/routes/route.ts";
import { callSync } from "./worker-bridge.ts";
import type { HttpCall, HttpResult } from "./worker-messages.ts";

/** The server to call. */
export interface RemoteServer {
  /** Its base URL, without a trailing slash. */
  readonly url: string;
  readonly password: string | undefined;
  /** The timeout of a call, in milliseconds. */
  readonly timeout: number;
}

/** Returns the control API of a server. Each call blocks the thread until the server has responded. */
export function remoteControl(server: RemoteServer): ControlApi {
  return controlClient((route, request) => requestSync(route, request, server));
}

/** Returns the control API of a server without blocking the thread and without a timeout. */
export function asyncRemoteControl(server: RemoteServer): AsyncControlApi {
  return asyncControlClient((route, request) => requestAsync(route, request, server));
}

function requestSync(route: ControlRoute, request: ControlRequest, server: RemoteServer): unknown {
  if (!hasId(route, request)) return resultWithoutId(route);
  const call = callOf(route, isPaged(route) ? withPageLimit(request) : request, server);
  return isPaged(route) ? everyPage(call, route, server) : resultOf(callSync(call), route, server);
}

async function requestAsync(route: ControlRoute, request: ControlRequest, server: RemoteServer): Promise<unknown> {
  const { url, method, headers, body = null } = callOf(route, request, server);
  const response = await fetch(url, { method, headers, body });
  return resultOf({ status: response.status, text: await response.text() }, route, server);
}

/** Whether the request has an id where the path needs one. Without it, the path would be that of the whole collection. */
function hasId({ path }: ControlRoute, { id }: ControlRequest): boolean {
  return !path.includes("{id}") || (typeof id === "string" && id !== "");
}

function resultWithoutId({ absent, path }: ControlRoute): unknown {
  if (absent) return absent.value;
  throw new TypeError(`connectMock: the id in ${path} must be a non-empty string.`);
}

/** Requests fewer, larger pages. */
function withPageLimit(request: ControlRequest): ControlRequest {
  return { ...request, query: { ...request.query, limit: PAGE_LIMIT.max / 2 } };
}

function everyPage(first: HttpCall, route: ControlRoute, server: RemoteServer): readonly unknown[] {
  const items: unknown[] = [];
  for (let call: HttpCall | undefined = first; call; ) {
    const response = callSync(call);
    for (const item of resultOf(response, route, server) as readonly unknown[]) items.push(item);
    const next = "link" in response ? nextTarget(response.link) : undefined;
    call = next === undefined ? undefined : { ...call, url: server.url + next };
  }
  return Object.freeze(items);
}

function callOf(route: ControlRoute, request: ControlRequest, { url, password, timeout }: RemoteServer): HttpCall {
  return {
    url: url + targetOf(route, request),
    method: route.method,
    headers: password === undefined ? {} : { authorization: `Bearer ${password}` },
    body: request.body === undefined ? undefined : JSON.stringify(request.body, requireJson),
    timeout,
  };
}

function requireJson(name: string, value: unknown): unknown {
  const isNotFinite = typeof value === "number" && !Number.isFinite(value);
  if (!isNotFinite && !["function", "bigint", "symbol"].includes(typeof value)) return value;
  const received = isNotFinite ? String(value) : `a ${typeof value}`;
  throw new TypeError(`connectMock: "${name}" is ${received}, which cannot be sent as JSON.`);
}

function resultOf(response: HttpResult, { absent }: ControlRoute, { url, timeout }: RemoteServer): unknown {
  if ("failure" in response) throw unreachable(response.failure, url, timeout);
  const { status, text } = response;
  if (status === 204) return absent?.value === false ? true : undefined;
  const value = parse(text);
  if (status < 300 && value !== undefined) return value;
  const { error, detail = "" } = (value ?? {}) as { readonly error?: string; readonly detail?: string };
  if (status === 404 && error === "NotFound" && absent) return absent.value;
  if (error === "InvalidInput") throw new TypeError(detail);
  if (error === PASSWORD_REQUIRED) {
    throw new Error(
      `connectMock: the control API at ${url} requires a password; it was missing or wrong. Check the option \`password\`.`,
    );
  }
  if (error === undefined || status === 401)
    throw new Error(
      `connectMock: no control API at ${url}. Check the URL, and that the server runs without --no-control.`,
    );
  throw new Error(`connectMock: ${detail}`);
}

function unreachable(failure: string, url: string, timeout: number): Error {
  if (failure !== "ETIMEDOUT") return new Error(`connectMock: cannot reach a mock server at ${url} (${failure}).`);
  return new Error(`connectMock: the server at ${url} did not respond within ${timeout} ms.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_, value) => (typeof value === "object" ? Object.freeze(value) : value));
  } catch {
    return undefined;
  }
}
