import { createHmac } from "node:crypto";
import { EventEmitter, once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createMock, type Mock, type MockOptions, type WebhookHandler } from "../../mock/index.ts";
import { type ReceivedRequest, startReceiver } from "../support/local-server.ts";

/** A delivery that a receiver got. */
export type Received = ReceivedRequest;

/** An HTTP receiver on this machine that is closed when the test ends. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Maximum number of deliveries at the same time so far. */
  readonly mostAtOnce: number;
  /** Waits until a number of deliveries have arrived. */
  got(count: number): Promise<void>;
}

type Respond = (response: ServerResponse, request: IncomingMessage) => unknown;

/** Starts a receiver. Responds with 200 by default. */
export async function receiver(respond: Respond = (response) => response.end()): Promise<Receiver> {
  let open = 0;
  let mostAtOnce = 0;
  const news = new EventEmitter();
  const { origin, server, received } = await startReceiver((request, response) => {
    respond(response, request);
    news.emit("received");
  });
  server.prependListener("request", (_, response: ServerResponse) => {
    open += 1;
    mostAtOnce = Math.max(mostAtOnce, open);
    response.on("close", () => {
      open -= 1;
    });
  });
  return {
    url: `${origin}/webhooks`,
    received,
    get mostAtOnce() {
      return mostAtOnce;
    },
    got: async (count) => {
      while (received.length < count) await once(news, "received");
    },
  };
}

/** Creates a handler that collects the deliveries it gets. Responds with 204 by default. */
export function handler(answer: WebhookHandler = () => new Response(null, { status: 204 })): {
  readonly received: Received[];
  readonly handle: WebhookHandler;
  /** Waits until a number of deliveries have arrived. */
  readonly got: (count: number) => Promise<void>;
} {
  const received: Received[] = [];
  const news = new EventEmitter();
  const handle: WebhookHandler = async (request) => {
    const { method, headers } = request;
    const body = await request.clone().text();
    received.push({ method, path: new URL(request.url).pathname, headers: Object.fromEntries(headers), body });
    news.emit("received");
    return answer(request);
  };
  const got = async (count: number): Promise<void> => {
    while (received.length < count) await once(news, "received");
  };
  return { received, handle, got };
}

/** Creates a mock with an endpoint whose deliveries go to a function, and what delivers an event to it. */
export function receiving(
  options: MockOptions = {},
  {
    answer,
    ...endpoint
  }: { readonly answer?: WebhookHandler } & Parameters<Mock["webhookEndpoints"]["create"]>[0] = {},
) {
  const mock = createMock(options);
  const collected = handler(answer);
  const created = mock.webhookEndpoints.create(endpoint);
  mock.webhooks.receive(created.url, collected.handle);
  /** Emits an event, and returns its newest delivery after it was made. */
  const deliver = async (data: unknown = {}): Promise<Received> => {
    mock.webhooks.emit("order.paid", data);
    await mock.webhooks.idle();
    return collected.received.at(-1) as Received;
  };
  return { mock, endpoint: created, deliver, ...collected };
}

/** Returns the signature of a delivery by the original scheme, computed without the project's code. */
export function originalSignature({ headers, body }: Received, secret: string): string {
  const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", secret).update(text).digest("base64")}`;
}

/** Parses the body of a delivery. */
export function json({ body }: Pick<Received, "body">): Record<string, unknown> {
  return JSON.parse(body);
}
