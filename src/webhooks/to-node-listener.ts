import type { DeliveryHandler, WebhookRequest } from "./handler-options.ts";

/** A request of node:http or Express, or one of Fastify, whose `raw` is the former. */
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
  writeHead(status: number, headers: Readonly<Record<string, string>>): { end(body?: string): unknown };
}

/** A reply of Fastify. */
export interface FastifyReply {
  code(status: number): {
    headers(values: Readonly<Record<string, string>>): { send(body?: string): unknown };
  };
}

/** A listener for node:http, Express and Fastify. */
export type NodeListener = (request: NodeRequest, response: NodeResponse | FastifyReply) => Promise<unknown>;

/**
 * Converts a handler to a listener for node:http, Express 5 and Fastify 5. The raw body must reach it: no body parser may
 * run before it, unless the parser keeps the bytes or the string.
 *
 * @example
 * ```ts
 * app.post("/webhooks", toNodeListener(handle)); // Express: before app.use(express.json())
 *
 * await fastifyApp.register(async (plugin) => {
 *   plugin.addContentTypeParser("application/json", { parseAs: "buffer" }, async (_request, body) => body);
 *   plugin.post("/webhooks", toNodeListener(handle));
 * });
 * ```
 */
export function toNodeListener(handler: DeliveryHandler): NodeListener {
  return async (request, response) => {
    const answer = await handler(toWebhookRequest(request));
    const headers = Object.fromEntries(answer.headers);
    // The rest of a body that is too long is not read.
    if (answer.status === 413) headers["connection"] = "close";
    const body = await answer.text();
    if ("code" in response) return response.code(answer.status).headers(headers).send(body);
    return response.writeHead(answer.status, headers).end(body);
  };
}

function toWebhookRequest(request: NodeRequest): WebhookRequest {
  const { method, headers, rawBody, body, raw = request } = request;
  return { method, headers, body: rawBody ?? body ?? raw };
}
