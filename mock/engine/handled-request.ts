import type { ResponseLoss } from "../faults/lose-response.ts";
import type { EncodedResponse } from "../http/encoded-response.ts";
import type { RequestContext } from "../operations/request-context.ts";

/** A request and its response, with everything that the service found out about the request. */
export interface HandledRequest extends EncodedResponse {
  readonly context: RequestContext;
  /** The id of the fault that was applied. */
  readonly fault?: string;
  /** The way in which the adapter loses the response. */
  readonly loss?: ResponseLoss;
}
