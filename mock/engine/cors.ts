import type { Assumptions } from "../assumptions/assumptions.ts";
import type { IncomingRequest } from "../http/request.ts";
import type { Exchange, RequestHandler } from "./request-handler.ts";

/** The response headers that pages of other origins may read, in addition to the safe ones. */
const EXPOSED = "Service-Version, Retry-After, WWW-Authenticate";

/** The lifetime of a preflight response in the browser's cache, in seconds. */
const MAX_AGE = "600";

/**
 * Handles a request with CORS (Fetch standard; G-CORS): answers a preflight request, which is not recorded in the journal, and
 * adds to every other response which origins may read it.
 */
export async function handleWithCors(
  request: IncomingRequest,
  { cors }: Pick<Assumptions, "cors">,
  service: RequestHandler,
): Promise<Exchange> {
  const headers = allowed(request.headers.get("origin"), cors);
  const preflight = headers["access-control-allow-origin"] !== undefined && preflightHeaders(request);
  if (preflight) return service.respond(request, { status: 204, headers: { ...headers, ...preflight } });
  const handled = await service.handle(request);
  return { ...handled, headers: { ...headers, ...handled.headers } };
}

/**
 * Returns the CORS headers for a response. Names are in lower case so that a fault's headers can replace them. If `cors` is a
 * list of origins, `Vary` tells caches that the response depends on the origin.
 */
function allowed(origin: string | null, cors: Assumptions["cors"]): Record<string, string> {
  if (cors === "*") return { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED };
  if (origin === null || !cors.includes(origin)) return { vary: "Origin" };
  return { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED, vary: "Origin" };
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
