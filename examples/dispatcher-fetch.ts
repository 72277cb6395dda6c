import { type Dispatcher, fetch } from "undici";

/**
 * Creates a `fetch` for `createClient` that sends requests through a dispatcher of the package undici: a proxy, a client
 * certificate, a limit of connections. It takes each request apart, because undici accepts only its own kind of `Request`.
 */
export function dispatcherFetch(dispatcher: Dispatcher): (request: Request) => Promise<Response> {
  return async (request) => {
    const { url, method, redirect, signal } = request;
    const headers = [...request.headers];
    const body = request.body === null ? null : await request.text();
    return (await fetch(url, { method, headers, body, redirect, signal, dispatcher })) as unknown as Response;
  };
}
