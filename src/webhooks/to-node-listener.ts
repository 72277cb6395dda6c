import { Checks } from "../errors/checks.ts";
import type { NodeStream } from "./read-delivery.ts";
import type { DeliveryHandler, WebhookRequest } from "./types.ts";

/** A request of node:http or Express. */
export interface NodeRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body, if a parser has run. */
  readonly body?: unknown;
  /** The raw body, which some platforms keep next to the parsed one. */
  readonly rawBody?: unknown;
}

/** A response of node:http or Express. */
export interface NodeResponse {
  writeHead(status: number, headers: Readonly<Record<string, string>>): { end(body?: string): unknown };
}

/** A listener for node:http and Express. */
export type NodeListener = (request: NodeRequest, response: NodeResponse) => Promise<unknown>;

/**
 * Converts a handler to a listener for node:http and Express. The raw body must reach it: no body parser may
 * run before it, unless the parser keeps the bytes or the string. The listener never rejects, and writes nothing if your
 * application has already responded, for example after its own timeout.
 *
 * @example
 * ```ts
 * app.post("/webhooks", toNodeListener(handle)); // before app.use(express.json())
 * ```
 */
export function toNodeListener(handler: DeliveryHandler): NodeListener {
  new Checks({ caller: "toNodeListener" }).function("handler", handler);
  return async (request, response) => {
    // The handlers of this package never reject; another function may.
    const call = async () => handler(toWebhookRequest(request));
    const result = await call().catch(() => new Response(null, { status: 500 }));
    const headers: Record<string, string> = Object.fromEntries(result.headers);
    // The rest of a body that is too long is not read.
    if (result.status === 413) headers["connection"] = "close";
    try {
      return response.writeHead(result.status, headers).end(await result.text());
    } catch {
      // The application has answered, or the connection is gone.
      return response;
    }
  };
}

/** `body` is read last: it may be a getter that parses, and Express 4's parsers set it for bodies that they leave unread. */
function toWebhookRequest(request: NodeRequest): WebhookRequest {
  const { readableDidRead, readableEnded } = request as Partial<NodeStream>;
  const isUnread = readableDidRead === false && readableEnded === false;
  return { headers: request.headers, body: request.rawBody ?? (isUnread ? request : (request.body ?? request)) };
}
