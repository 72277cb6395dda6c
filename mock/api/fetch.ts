import { orAbort, rejectOnAbort } from "../clock/timers.ts";
import type { RequestHandler } from "../engine/request-handler.ts";
import { loseResponse } from "../faults/lose-response.ts";
import { toResponse } from "../http/response.ts";

/** Handles a request as `fetch` does. One that is aborted, or whose body was already read, is rejected as `fetch` rejects it. */
export async function fetchFrom(
  handler: RequestHandler,
  input: Request | string | URL,
  init: RequestInit | undefined,
): Promise<Response> {
  const request = input instanceof Request && !init && !input.bodyUsed ? input : new Request(input, init);
  request.signal.throwIfAborted();
  const { life } = handler;
  try {
    const exchange = await orAbort(handler.handle(request), request.signal);
    request.signal.throwIfAborted();
    const response = toResponse(exchange, request.method);
    return exchange.loss === undefined ? response : await loseResponse(exchange.loss, response);
  } catch (error) {
    const isHeld = life.aborted && error === life.reason;
    throw isHeld ? await rejectOnAbort(init?.signal ?? request.signal) : error;
  }
}
