import type { ResponseLoss } from "../faults/lose-response.ts";
import type { EncodedResponse } from "../http/encoded-response.ts";
import type { RequestContext } from "../operations/request-context.ts";

/** A request and its response, with everything that the service found out about the request. */
export interface HandledRequest extends EncodedResponse {
  readonly context: RequestContext;
  /** The id of the fault that was applied. */
  readonly fault?: string;
  /** How the response gets lost on its way to the client; the adapter makes it happen. */
  readonly loss?: ResponseLoss;
}
