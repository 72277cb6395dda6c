import type { Mock } from "../api/mock.ts";
import { splitAddress } from "../http/address.ts";

/** A `fetch` that sends every request to a server, whatever address of the service it was meant for. */
export function remoteFetch(url: string, baseUrls: readonly string[]): Mock["fetch"] {
  const prefixes = baseUrls.filter((baseUrl) => new URL(baseUrl).pathname !== "/");
  const there = (asked: string): string => {
    const { path, search } = splitAddress(asked, prefixes);
    return `${url}${path}${search ? `?${search}` : ""}`;
  };
  return (input, init) => {
    if (input instanceof Request) return fetch(new Request(there(input.url), input), init);
    return fetch(there(new URL(input).href), init);
  };
}
