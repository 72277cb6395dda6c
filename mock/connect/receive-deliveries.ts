import type { ControlApi } from "../control/routes/index.ts";
import type { WebhookHandler } from "../webhooks/send.ts";
import { deliveriesPort, receiverPort } from "./worker-bridge.ts";
import type { DeliveryReply, IncomingDelivery } from "./worker-messages.ts";

interface Receiver {
  readonly url: string;
  readonly handler: WebhookHandler;
}

const receivers = new Map<string, Receiver>();
let isListening = false;

/**
 * Passes the deliveries to a URL to a function of this process: the server sends them to a loopback port at which this
 * process listens. Returns a function that stops it.
 */
export function receiveDeliveries({ webhooks }: ControlApi, url: string, handler: WebhookHandler): () => void {
  if (typeof handler !== "function") throw new TypeError("webhooks.receive: `handler` must be a function.");
  const path = `/${receivers.size + 1}-${Math.random().toString(36).slice(2)}`;
  const { id } = webhooks.receive({ body: { url, to: `http://127.0.0.1:${receiverPort()}${path}` } });
  receivers.set(path, { url, handler });
  listen();
  return () => {
    receivers.delete(path);
    webhooks.stopReceiving({ id });
  };
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  const port = deliveriesPort();
  port.on("message", async (delivery: IncomingDelivery) => port.postMessage(await handle(delivery)));
  port.unref();
}

async function handle({ id, path, method, headers, body }: IncomingDelivery): Promise<DeliveryReply> {
  const receiver = receivers.get(path);
  if (!receiver) return { id, status: 404, headers: {}, body: "" };
  try {
    const response = await receiver.handler(
      new Request(receiver.url, { method, headers: withoutTransport(headers), body }),
    );
    return { id, status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  } catch (error) {
    return { id, status: 500, headers: {}, body: String(error) };
  }
}

/** Removes the headers that describe the connection. */
function withoutTransport(headers: IncomingDelivery["headers"]): Record<string, string> {
  const { host: _, connection: __, "content-length": ___, "transfer-encoding": ____, ...rest } = headers;
  return rest;
}
