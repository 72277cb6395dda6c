import { Checks } from "../errors/checks.ts";
import type { NodeStream } from "./read-delivery.ts";
import type { DeliveryHandler, WebhookRequest } from "./types.ts";

/** A request of node:http, Express or Fastify (which has the node:http request in `raw`). */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body, if a parser has run. */
  readonly body?: unknown;
  /** The raw body, which some platforms keep next to the parsed one. */
  readonly rawBody?: unknown;
  readonly raw?: object;
}

/** A response of node:http or Express. */
export interface NodeResponse {
  readonly headersSent?: boolean;
  writeHead(status: number, headers: Readonly<Record<string, string>>): { end(body?: string): unknown };
}

/** A reply of Fastify. */
export interface FastifyReply {
  readonly sent?: boolean;
  code(status: number): {
    headers(values: Readonly<Record<string, string>>): { send(body?: string): unknown };
  };
}

/** A listener for node:http, Express and Fastify. */
export type NodeListener = (request: NodeRequest, response: NodeResponse | FastifyReply) => Promise<unknown>;

/**
 * Converts a handler to a listener for node:http, Express 5 and Fastify 5. The raw body must reach it: no body parser may
 * run before it, unless the parser keeps the bytes or the string. The listener never rejects, and writes nothing if your
 * application has already responded, for example after its own timeout.
 *
 * @example
 * ```ts
 * app.post("/webhooks", toNodeListener(handle)); // Express: before app.use(express.json())
 *
 * await fastifyApp.register(async (plugin) => {
 *   plugin.removeAllContentTypeParsers();
 *   plugin.addContentTypeParser("*", (_request, _body, done) => done(null));
 *   plugin.post("/webhooks", toNodeListener(handle));
 * });
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
      const body = await result.text();
      if ("code" in response)
        return response.sent ? response : response.code(result.status).headers(headers).send(body);
      return response.headersSent ? undefined : response.writeHead(result.status, headers).end(body);
    } catch {
      // The application answered while this response was written, or the connection is gone.
      return response;
    }
  };
}

/** `body` is read last: it may be a getter that parses, and Express 4's parsers set it for bodies that they leave unread. */
function toWebhookRequest(request: NodeRequest): WebhookRequest {
  const { method, headers, raw = request } = request;
  const { readableDidRead, readableEnded } = raw as Partial<NodeStream>;
  const isUnread = readableDidRead === false && readableEnded === false;
  return { method, headers, body: request.rawBody ?? (isUnread ? raw : (request.body ?? raw)) };
}
