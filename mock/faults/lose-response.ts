import { type EncodedResponse, WITHOUT_BODY } from "../http/response.ts";
import type { FaultKind } from "./fault.ts";

/** A fault that loses the response on its way to the client. */
export type ResponseLoss = Exclude<FaultKind, "malformed">;

/** A response, and how a fault loses it on its way to the client. */
export interface Exchange extends EncodedResponse {
  readonly loss?: ResponseLoss;
}

/**
 * Returns or throws what `fetch` of Node.js does after the same failure of a socket.
 *
 * @throws TypeError as `fetch` does.
 */
export async function loseResponse(kind: Exclude<ResponseLoss, "timeout">, response: Response): Promise<Response> {
  if (kind === "truncated") return truncate(response);
  throw connectionError(kind);
}

/** The errors of the kinds that break the connection. */
export const FAILURES = {
  reset: { code: "ECONNRESET", message: "read ECONNRESET" },
  "empty-reply": { code: "UND_ERR_SOCKET", message: "other side closed" },
  "bad-status-line": { code: "HPE_INVALID_CONSTANT", message: "Response does not match the HTTP/1.1 protocol" },
} as const;

/** Creates the error of `fetch` for a failure of the connection. */
function connectionError(kind: keyof typeof FAILURES, problem = "fetch failed"): TypeError {
  const { code, message } = FAILURES[kind];
  return new TypeError(problem, { cause: Object.assign(new Error(message), { code }) });
}

async function truncate(response: Response): Promise<Response> {
  const terminated = connectionError("empty-reply", "terminated");
  if (WITHOUT_BODY.has(response.status)) throw terminated;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2))),
    pull: (controller) => controller.error(terminated),
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
