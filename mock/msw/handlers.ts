import type { HttpHandler, http } from "msw";
import type { Engine } from "../engine/engine.ts";
import { lost } from "../faults/lost.ts";
import { toResponse } from "../http/encoded-response.ts";

/** The part of MSW that makes handlers. Each door brings it: in Node it is asked for, in a browser it is bundled. */
export type MakesHandlers = Pick<typeof http, "all">;

/** A request handler of MSW. */
export type MswHandler = HttpHandler;

/**
 * The mock as handlers of MSW: one for each base address, catching every method and path, since an unsupported version
 * has to be refused on any of them.
 */
export function handlersOf(mock: Engine, { all }: MakesHandlers): readonly MswHandler[] {
  return mock.baseUrls.map((baseUrl) => all(below(baseUrl), ({ request }) => answer(mock, request)));
}

/** Every path below an address. MSW 2 would decode what a `*` stands for, and fail where it cannot: `%E0%A4%A`. */
function below(baseUrl: string): RegExp {
  return new RegExp(`^${baseUrl.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}/`);
}

/** Without a socket of its own, MSW can express every break of a connection only as a network failure. */
async function answer(mock: Engine, request: Request): Promise<Response> {
  try {
    const answered = await mock.handle(request);
    if (answered.loss === undefined) return toResponse(answered);
    return answered.loss === "timeout" ? await lost(answered.loss, request, toResponse(answered)) : Response.error();
  } catch (error) {
    // The caller has gone away while it waited; nobody reads the answer.
    if (request.signal.aborted) return Response.error();
    throw error;
  }
}
