import type { Exchange } from "../faults/faults.ts";
import type { IncomingRequest } from "../http/request.ts";
import { requireResponse, toResponse } from "../http/response.ts";

/** A function between a request and the mock: it answers itself, or changes what `next` receives or returns. */
export type Layer = (request: Request, next: (request?: Request) => Promise<Response>) => unknown;

/** Handles a request through a middleware. A fault that loses the response of the mock also loses that of the middleware. */
export async function throughLayer(
  layer: Layer,
  incoming: IncomingRequest,
  handle: (request: IncomingRequest) => Promise<Exchange>,
): Promise<Exchange> {
  const request = await asRequest(incoming);
  const unread = request.clone();
  let lost: Pick<Exchange, "loss"> = {};
  const response = await layer(request, async (changed = unread) => {
    const { loss, ...exchange } = await handle(Object.assign(changed, { hasLength: incoming.hasLength }));
    lost = loss === undefined ? {} : { loss };
    return toResponse(exchange, changed.method);
  });
  const answer = requireResponse(response, "The middleware");
  const { status, headers } = answer;
  const body = await answer.text();
  return { status, headers: Object.fromEntries(headers), body: body === "" ? undefined : body, ...lost };
}

async function asRequest(incoming: IncomingRequest): Promise<Request> {
  if (incoming instanceof Request) return incoming;
  const { method, url, headers, signal } = incoming;
  const sent = Array.from(headers.keys(), (name): [string, string] => [name, headers.get(name) ?? ""]);
  const body = incoming.body === null || method === "GET" || method === "HEAD" ? null : await incoming.arrayBuffer();
  return new Request(url, { method, headers: sent, signal, body: body as BodyInit | null });
}
