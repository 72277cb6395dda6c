import { WITHOUT_BODY } from "../http/response.ts";
import { keepProcessAlive, rejectOnAbort } from "../time/timers.ts";
import type { FaultKind } from "./fault.ts";

/** A fault that loses the response on its way to the client. */
export type ResponseLoss = Exclude<FaultKind, "malformed">;

/**
 * Returns or throws what `fetch` of Node.js does after the same failure of a socket.
 *
 * @param life A `timeout` keeps the process alive until this signal aborts.
 * @throws TypeError as `fetch` does, or the reason of the request's signal for a `timeout`.
 */
export async function loseResponse(
  kind: ResponseLoss,
  request: Request,
  response: Response,
  life: AbortSignal,
): Promise<Response> {
  if (kind === "timeout") {
    // A socket would keep the process alive. The signal of a request that is garbage does not abort.
    const holding = rejectOnAbort(request.signal, life).finally(keepProcessAlive(request));
    return holding.catch(() => rejectOnAbort(request.signal));
  }
  if (kind === "truncated") return truncate(response);
  const { code, message } = FAILURES[kind];
  throw new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
}

const FAILURES = {
  reset: { code: "ECONNRESET", message: "read ECONNRESET" },
  "empty-reply": { code: "UND_ERR_SOCKET", message: "other side closed" },
  "bad-status-line": { code: "HPE_INVALID_CONSTANT", message: "Response does not match the HTTP/1.1 protocol" },
} as const;

async function truncate(response: Response): Promise<Response> {
  if (WITHOUT_BODY.has(response.status)) throw terminated();
  const bytes = new Uint8Array(await response.arrayBuffer());
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2))),
    pull: (controller) => controller.error(terminated()),
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

function terminated(): TypeError {
  const { code, message } = FAILURES["empty-reply"];
  return new TypeError("terminated", { cause: Object.assign(new Error(message), { code }) });
}
