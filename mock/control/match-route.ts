import type { ControlContext } from "./handlers/handler.ts";
import { controlHandlers } from "./handlers/index.ts";
import { namedRoutes } from "./routes/index.ts";
import type { ControlRoute } from "./routes/route.ts";

/** A request to any route as it arrives; `id` is empty where the path has none. */
export interface ReceivedRequest {
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: object;
}

/** A route with its handler. */
export interface HandledRoute {
  readonly route: ControlRoute;
  readonly handle: (request: ReceivedRequest, context: ControlContext) => unknown;
}

/** The route of a request with the id in its path, or the methods that the path allows. */
export type ControlMatch =
  | { readonly found: HandledRoute; readonly id: string }
  | { readonly allow: readonly string[] };

type AnyHandlers = Readonly<Record<string, Readonly<Record<string, HandledRoute["handle"]>>>>;

// A handler gets exactly the parts of a request that the route of the same name describes.
const handlers = controlHandlers as unknown as AnyHandlers;

const patterns = namedRoutes.map(({ group, action, route }) => ({
  found: { route, handle: handlers[group]?.[action] } as HandledRoute,
  pattern: new RegExp(`^${route.path.replaceAll(".", "\\.").replace("{id}", "(?<id>[^/]+)")}/?$`),
}));

/** Finds the route for a method and a path below `/__mock`. */
export function matchRoute(method: string, path: string): ControlMatch {
  const fitting = patterns.filter(({ pattern }) => pattern.test(path));
  const match = fitting.find(({ found }) => found.route.method === method);
  if (!match) return { allow: [...new Set(fitting.map(({ found }) => found.route.method))] };
  const { id = "" } = match.pattern.exec(path)?.groups ?? {};
  return { found: match.found, id: decode(id) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
