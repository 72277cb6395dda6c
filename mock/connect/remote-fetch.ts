import type { Mock } from "../api/mock.ts";
import { splitAddress } from "../http/request.ts";

/** Returns a `fetch` that sends every request to a server, and removes the path of a base URL of the service. */
export function remoteFetch(url: string, baseUrls: readonly string[]): Mock["fetch"] {
  const prefixes = baseUrls.filter((baseUrl) => new URL(baseUrl).pathname !== "/");
  const toServer = (address: string): string => {
    const { path, search } = splitAddress(address, prefixes);
    return `${url}${path}${search ? `?${search}` : ""}`;
  };
  return (input, init) => {
    if (input instanceof Request) return fetch(new Request(toServer(input.url), input), init);
    return fetch(toServer(new URL(input).href), init);
  };
}
