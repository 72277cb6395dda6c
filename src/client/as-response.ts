import type { TransportHeaders, TransportResponse } from "./transport.ts";

/** Returns the `Response` of a transport; one without a body if the transport returned another object. */
export function asResponse(received: TransportResponse): Response {
  if ("text" in received) return received as Response;
  const response = new Response(null, { headers: toHeaders(received.headers) });
  // The constructor rejects a status above 599, and sets no URL.
  Object.defineProperties(response, {
    status: { value: received.status },
    ok: { value: isSuccessful(received) },
    url: { value: received.url ?? "" },
  });
  return response;
}

/** Returns the `Headers` of a response. */
export function toHeaders(headers: TransportHeaders): Headers {
  return "append" in headers ? (headers as Headers) : new Headers([...headers]);
}

/** Returns whether a response has a status of success. */
export function isSuccessful({ status }: TransportResponse): boolean {
  return status >= 200 && status <= 299;
}
