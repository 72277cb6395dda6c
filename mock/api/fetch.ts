import { keepProcessAlive, orAbort, rejectOnAbort } from "../clock/timers.ts";
import type { RequestHandler } from "../engine/request-handler.ts";
import { toResponse, WITHOUT_BODY } from "../http/messages.ts";

/**
 * Handles a request as `fetch` does: it follows redirects, and a request that is aborted, or whose body was already read, is
 * rejected as `fetch` rejects it.
 */
export async function fetchFrom(
  handler: RequestHandler,
  input: Request | string | URL,
  init: RequestInit | undefined,
): Promise<Response> {
  let request = input instanceof Request && !init && !input.bodyUsed ? input : new Request(input, init);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await attempt(handler, request, init?.signal ?? request.signal);
    const next = redirectOf(request, response);
    if (next === undefined) return withAddress(response, request.url, hops > 0);
    request = next;
  }
  throw new TypeError("fetch failed", { cause: new Error("redirect count exceeded") });
}

/** The maximum number of redirects that `fetch` follows (Fetch standard, "HTTP-redirect fetch"). */
const MAX_REDIRECTS = 20;

async function attempt(handler: RequestHandler, request: Request, signal: AbortSignal): Promise<Response> {
  request.signal.throwIfAborted();
  const { life } = handler;
  try {
    const exchange = await orAbort(handler.handle(request), request.signal);
    request.signal.throwIfAborted();
    // A socket would keep the process alive. The signal of a request that was garbage-collected would not abort.
    if (exchange.loss === "timeout") await rejectOnAbort(signal, life).finally(keepProcessAlive(request));
    if (exchange.loss === "reset") throw connectionError("fetch failed", "ECONNRESET", "read ECONNRESET");
    const response = toResponse(exchange, request.method);
    return exchange.loss === "truncated" ? await truncate(response) : response;
  } catch (error) {
    const isHeld = life.aborted && error === life.reason;
    throw isHeld ? await rejectOnAbort(signal) : error;
  }
}

/** Creates the error of Node.js's `fetch` for a failure of the connection. */
function connectionError(problem: string, code: string, message: string): TypeError {
  return new TypeError(problem, { cause: Object.assign(new Error(message), { code }) });
}

/** Returns the first half of a response, as `fetch` does when the connection then closes. */
async function truncate(response: Response): Promise<Response> {
  const terminated = connectionError("terminated", "UND_ERR_SOCKET", "other side closed");
  if (WITHOUT_BODY.has(response.status)) throw terminated;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2))),
    pull: (controller) => controller.error(terminated),
  });
  return new Response(body, response);
}

/** Returns the request to which a response redirects; undefined if there is none to follow. */
function redirectOf(request: Request, { status, headers }: Response): Request | undefined {
  const location = headers.get("location");
  if (![301, 302, 303, 307, 308].includes(status) || location === null || request.redirect === "manual")
    return undefined;
  const isKept = status >= 307 || !(request.method === "POST" || (status === 303 && request.method !== "HEAD"));
  if (request.redirect === "error" || (isKept && request.body !== null)) {
    throw new TypeError("fetch failed", { cause: new Error("unexpected redirect") });
  }
  const method = isKept ? request.method : "GET";
  return new Request(new URL(location, request.url), { method, headers: request.headers, signal: request.signal });
}

/** Adds what a response of `fetch` has, and one that a program creates has not. */
function withAddress(response: Response, url: string, redirected: boolean): Response {
  return Object.defineProperties(response, { url: { value: url }, redirected: { value: redirected } });
}
