import type { Exchange } from "../faults/faults.ts";
import { type IncomingRequest, requireResponse, toResponse } from "../http/messages.ts";

/** A function between a request and the mock: it answers itself, or changes what `next` receives or returns. */
export type Layer = (request: Request, next: (request?: Request) => Promise<Response>) => unknown;

/**
 * Handles a request through a middleware. A body that is too large is rejected first. If a fault loses the response, the
 * response of the middleware is lost, too.
 */
export async function throughLayer(
  layer: Layer,
  incoming: IncomingRequest,
  maxBytes: number,
  handle: (request: IncomingRequest) => Promise<Exchange>,
): Promise<Exchange> {
  if (Number(incoming.headers.get("content-length") ?? 0) > maxBytes) return handle(incoming);
  const { hasLength } = incoming;
  const body = await bodyOf(incoming);
  const request = incoming instanceof Request ? incoming : toRequest(incoming, body);
  if (body !== null && body.byteLength > maxBytes) return handle(Object.assign(request, { hasLength }));
  const unread = request.clone();
  let lost: Pick<Exchange, "loss"> = {};
  const response = await layer(request, async (changed = unread) => {
    const { loss, ...exchange } = await handle(Object.assign(changed, { hasLength }));
    lost = loss === undefined ? {} : { loss };
    return toResponse(exchange, changed.method);
  });
  return { ...(await encode(requireResponse(response, "The middleware"))), ...lost };
}

/** Returns the body that a server received, just more than the limit if it is too large; null in process. */
async function bodyOf(incoming: IncomingRequest): Promise<ArrayBuffer | Uint8Array | null> {
  const { method, body } = incoming;
  const hasNone = incoming instanceof Request || body === null || method === "GET" || method === "HEAD";
  return hasNone ? null : incoming.arrayBuffer();
}

function toRequest({ method, url, headers, signal }: IncomingRequest, body: ArrayBuffer | Uint8Array | null): Request {
  const sent = Array.from(headers.keys(), (name): [string, string] => [name, headers.get(name) ?? ""]);
  return new Request(url, { method, headers: sent, signal, body: body as BodyInit | null });
}

async function encode(response: Response): Promise<Exchange> {
  const { "set-cookie": _, ...headers } = Object.fromEntries(response.headers);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const body = bytes.length === 0 ? undefined : bytes;
  return { status: response.status, headers, cookies: response.headers.getSetCookie(), body };
}
