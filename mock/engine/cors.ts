import type { Assumptions } from "../assumptions/assumptions.ts";
import type { IncomingRequest, Reply } from "../http/messages.ts";

/** The response headers that pages of other origins may read, in addition to the safe ones. */
const EXPOSED = "Service-Version, Retry-After, WWW-Authenticate";

/**
 * Returns the headers that say which origins may read a response (Fetch standard; G-CORS). Names are in lower case so that a
 * fault's headers can replace them. If `cors` is a list of origins, `Vary` tells caches that the response depends on the origin.
 */
export function corsHeaders({ headers }: IncomingRequest, { cors }: Assumptions): Record<string, string> {
  if (cors.length === 0) return {};
  if (cors === "*") return { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED };
  const origin = headers.get("origin");
  if (origin === null || !cors.includes(origin)) return { vary: "Origin" };
  return { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED, vary: "Origin" };
}

/** Returns the response to a preflight request of an allowed origin; undefined for any other request. */
export function preflightReply(
  { method, headers }: IncomingRequest,
  allowed: Record<string, string>,
): Reply | undefined {
  if (method !== "OPTIONS" || allowed["access-control-allow-origin"] === undefined) return undefined;
  if (headers.get("access-control-request-method") === null || headers.get("origin") === null) return undefined;
  const names = headers.get("access-control-request-headers");
  return {
    status: 204,
    headers: {
      ...allowed,
      "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
      ...(names !== null && { "Access-Control-Allow-Headers": names }),
      "Access-Control-Max-Age": "600",
    },
  };
}
