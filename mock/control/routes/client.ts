import { CONTROL_PATH, type ControlApi, namedRoutes } from "./index.ts";
import type { ControlRequest, ControlRoute } from "./route.ts";

/** The control API with every result in a promise. */
export type AsyncControlApi = {
  readonly [Group in keyof ControlApi]: {
    readonly [Action in keyof ControlApi[Group]]: ControlApi[Group][Action] extends (
      ...args: infer Args
    ) => infer Result
      ? (...args: Args) => Promise<Result>
      : never;
  };
};

/** Creates an object that sends each operation of the control API with one function. */
export function controlClient(send: (route: ControlRoute, request: ControlRequest) => unknown): ControlApi {
  return clientOf(send) as ControlApi;
}

/** Creates an object that sends each operation of the control API with one asynchronous function. */
export function asyncControlClient(
  send: (route: ControlRoute, request: ControlRequest) => Promise<unknown>,
): AsyncControlApi {
  return clientOf(send) as AsyncControlApi;
}

type Send = (route: ControlRoute, request: ControlRequest) => unknown;

function clientOf(send: Send): unknown {
  const client: Record<string, Record<string, (request?: ControlRequest) => unknown>> = {};
  for (const { group, action, route } of namedRoutes) {
    client[group] ??= {};
    client[group][action] = (request = {}) => send(route, request);
  }
  return client;
}

/** Returns the path and query string of a request, beginning with `/__mock`. */
export function targetOf({ path }: ControlRoute, { id = "", query = {} }: ControlRequest): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  return `${CONTROL_PATH}${path.replace("{id}", encodeURIComponent(id))}${search.size > 0 ? `?${search}` : ""}`;
}

/** Whether the result of a route comes in pages. */
export function isPaged({ query = {} }: ControlRoute): boolean {
  return "limit" in query;
}

/** Returns the target of the next page from a `Link` header (RFC 8288); undefined on the last page. */
export function nextTarget(link: string | null | undefined): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(link ?? "")?.[1];
}
