import type { Assumptions } from "../assumptions/assumptions.ts";
import type { Exchange, IncomingRequest } from "./exchange.ts";
import type { Answered } from "./service.ts";

type Answering = (request: IncomingRequest) => Answered | Promise<Answered>;

/** What a page of another origin may read of an answer, besides what every page may. */
const EXPOSED = "Service-Version, Retry-After, WWW-Authenticate";

/** How long a browser may remember the answer to a preflight request, in seconds. */
const MAX_AGE = "600";

/**
 * Lets pages of other origins use the service, as the Fetch standard describes (CORS; G-CORS): preflight requests are
 * answered, and every other answer says which origins may read it. Switched off, it costs nothing.
 *
 * @param receive Takes in a preflight request, which the journal does not hold.
 */
export function withCors(
  { cors }: Assumptions,
  answer: Answering,
  receive: (request: IncomingRequest) => Exchange,
): Answering {
  if (cors !== "*" && cors.length === 0) return answer;
  return (request) => {
    const headers = allowed(request.headers.get("origin"), cors);
    const preflight = headers["Access-Control-Allow-Origin"] !== undefined && preflightHeaders(request);
    if (preflight) {
      return { exchange: receive(request), status: 204, headers: { ...headers, ...preflight }, json: undefined };
    }
    const add = (answered: Answered): Answered => ({ ...answered, headers: { ...answered.headers, ...headers } });
    const answered = answer(request);
    return answered instanceof Promise ? answered.then(add) : add(answered);
  };
}

/** The headers of every answer; where a list of origins decides, caches must know that. */
function allowed(origin: string | null, cors: Assumptions["cors"]): Record<string, string> {
  if (cors === "*") return { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": EXPOSED };
  if (origin === null || !cors.includes(origin)) return { Vary: "Origin" };
  return { "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": EXPOSED, Vary: "Origin" };
}

/** The further headers of the answer to a preflight request; undefined for any other request. */
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
