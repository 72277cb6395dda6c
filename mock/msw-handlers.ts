import { type HttpHandler, http } from "msw";
import type { Engine } from "./api/engine.ts";
import { keepProcessAlive, rejectOnAbort } from "./clock/timers.ts";
import { toResponse } from "./http/messages.ts";

/** A request handler of MSW. */
export type MswHandler = HttpHandler;

/** Lets requests to other hosts pass: the first option is for MSW 3, the second for MSW 2. */
export const passThrough: object = { onUnhandledFrame: "bypass", onUnhandledRequest: "bypass" };

/**
 * Creates the MSW handlers of a mock: one for each base URL. They match every method and path, because the mock also
 * answers requests to unknown ones.
 *
 * @param place A page's worker stops only when its handlers have responded.
 */
export function createMswHandlers(engine: Engine, place: "process" | "page"): readonly MswHandler[] {
  const { baseUrls } = engine.mock;
  return baseUrls.map((baseUrl) => http.all(below(baseUrl), ({ request }) => respond(engine, request, place)));
}

/**
 * Matches a URL, which MSW gives without its query, and every path below it. MSW 2 would decode what a `*` matches, which fails
 * for paths such as `%E0%A4%A`.
 */
function below(baseUrl: string): RegExp {
  return new RegExp(`^${baseUrl.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?:/|$)`);
}

/** Responds to a request. MSW has no socket, so most failures of a connection become the same network error. */
async function respond(engine: Engine, request: Request, place: "process" | "page"): Promise<Response> {
  const { life } = engine.handler;
  try {
    const exchange = await engine.handler.handle(request);
    if (exchange.loss === "timeout") await rejectOnAbort(request.signal, life).finally(keepProcessAlive(request));
    return exchange.loss === undefined ? toResponse(exchange, request.method) : networkError();
  } catch {
    if (life.aborted && place === "process") await rejectOnAbort(request.signal).catch(() => undefined);
    return networkError();
  }
}

/** Returns the error that MSW recognizes: an instance of the global `Response`, which `@hono/node-server` replaces. */
function networkError(): Response {
  const error = Response.error();
  if (error instanceof Response) return error;
  const members = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(error));
  return Object.setPrototypeOf(error, Object.create(Response.prototype, members));
}
