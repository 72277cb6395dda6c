import { type HttpHandler, http } from "msw";
import type { Mock } from "../mock.ts";

/** A request handler of MSW. */
export type MswHandler = HttpHandler;

/**
 * The mock as handlers of MSW: one for each base address, catching every method and path, since an unsupported version
 * has to be refused on any of them.
 */
export function handlersOf({ baseUrls, fetch }: Mock): readonly MswHandler[] {
  return baseUrls.map((baseUrl) => http.all(`${baseUrl}/*`, ({ request }) => fetch(request)));
}
