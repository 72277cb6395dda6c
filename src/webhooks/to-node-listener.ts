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
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body?: string): unknown;
}

/** A reply of Fastify. */
export interface FastifyReply {
  code(status: number): unknown;
  headers(values: Readonly<Record<string, string>>): unknown;
  send(body?: string): unknown;
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
 * ```
 */
export function toNodeListener(handler: DeliveryHandler): NodeListener {
  return async (request, response) => {
    const answer = await handler(toWebhookRequest(request));
    const headers = Object.fromEntries(answer.headers);
    // The rest of a body that is too long is not read.
    if (answer.status === 413) headers["connection"] = "close";
    return respond(response, answer.status, headers, await answer.text());
  };
}

function toWebhookRequest(request: NodeRequest): WebhookRequest {
  const { method, headers, rawBody, body, raw = request } = request;
  return { method, headers, body: rawBody ?? body ?? raw };
}

function respond(
  response: NodeResponse | FastifyReply,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): unknown {
  if ("code" in response) {
    response.code(status);
    response.headers(headers);
    return response.send(body);
  }
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  return response.end(body);
}
