import type { Assumptions } from "../assumptions/assumptions.ts";
import type { IncomingRequest } from "../http/request.ts";
import type { Reply } from "../http/response.ts";
import type { HandledRequest } from "./service.ts";

type Handle = (request: IncomingRequest) => HandledRequest | Promise<HandledRequest>;

/** The response headers that pages of other origins may read, in addition to the safe ones. */
const EXPOSED = "Service-Version, Retry-After, WWW-Authenticate";

/** The lifetime of a preflight response in the browser's cache, in seconds. */
const MAX_AGE = "600";

/**
 * Adds CORS to a request handler (Fetch standard; G-CORS): it answers preflight requests, and adds to every other response
 * which origins may read it. Without allowed origins, it changes nothing.
 *
 * @param respond Encodes the response to a preflight request, which is not recorded in the journal.
 */
export function withCors(
  policy: Pick<Assumptions, "cors">,
  handle: Handle,
  respond: (request: IncomingRequest, reply: Reply) => HandledRequest,
): Handle {
  return (request) => {
    const { cors } = policy;
    if (cors !== "*" && cors.length === 0) return handle(request);
    const headers = allowed(request.headers.get("origin"), cors);
    const preflight = headers["Access-Control-Allow-Origin"] !== undefined && preflightHeaders(request);
    if (preflight) return respond(request, { status: 204, headers: { ...headers, ...preflight } });
    const add = (handled: HandledRequest): HandledRequest => ({
      ...handled,
      headers: withMissing(handled.headers, headers),
    });
    const handled = handle(request);
    return handled instanceof Promise ? handled.then(add) : add(handled);
  };
}

/** Adds headers that a response does not have, in any case: a fault may send its own. */
function withMissing(sent: HandledRequest["headers"], more: Record<string, string>): HandledRequest["headers"] {
  const names = new Set(Object.keys(sent).map((name) => name.toLowerCase()));
  const missing = Object.entries(more).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...sent, ...Object.fromEntries(missing) };
}

/** Returns the headers of every response. With a list of origins, caches must know that responses vary. */
function allowed(origin: string | null, cors: Assumptions["cors"]): Record<string, string> {
  if (cors === "*") return { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": EXPOSED };
  if (origin === null || !cors.includes(origin)) return { Vary: "Origin" };
  return { "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": EXPOSED, Vary: "Origin" };
}

/** Returns the additional headers of a preflight response; undefined for any other request. */
function preflightHeaders({ method, headers }: IncomingRequest): Record<string, string> | undefined {
  const asked = headers.get("access-control-request-method");
  if (method !== "OPTIONS" || asked === null || headers.get("origin") === null) return undefined;
  const names = headers.get("access-control-request-headers");
  return {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    ...(names !== null && { "Access-Control-Allow-Headers": names }),
    "Access-Control-Max-Age": MAX_AGE,
  };
}
