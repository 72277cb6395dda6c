import { type Dispatcher, fetch, type RequestInit } from "undici";

/**
 * Creates a `fetch` for `createClient` that sends requests through a dispatcher of the package undici: a proxy, a client
 * certificate, a limit of connections.
 */
export function dispatcherFetch(dispatcher: Dispatcher) {
  return (url: string, init: RequestInit) => fetch(url, { ...init, dispatcher });
}
