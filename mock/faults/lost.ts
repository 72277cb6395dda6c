import { rejectOnAbort } from "../time/sleep.ts";
import type { FaultKind } from "./fault.ts";

/** A fault that takes the answer away on its way to the client. */
export type Loss = Exclude<FaultKind, "malformed">;

/**
 * What a client's `fetch` gives where the answer is lost, without a socket: what Node's `fetch` gives after the same
 * failure on a real one.
 */
export async function lost(kind: Loss, request: Request, response: Response): Promise<Response> {
  if (kind === "timeout") return rejectOnAbort(request.signal);
  if (kind === "truncated") return truncated(response);
  const { code, message } = FAILURES[kind];
  throw new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
}

const FAILURES = {
  reset: { code: "ECONNRESET", message: "read ECONNRESET" },
  "empty-reply": { code: "UND_ERR_SOCKET", message: "other side closed" },
  "bad-status-line": { code: "HPE_INVALID_CONSTANT", message: "Response does not match the HTTP/1.1 protocol" },
} as const;

async function truncated(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) {
        const cause = Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });
        controller.error(new TypeError("terminated", { cause }));
      } else {
        controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2)));
        sent = true;
      }
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
