import type { WebhookHandler } from "../webhooks/webhook-handler.ts";
import { arrivalsPort, receiverPort } from "./bridge.ts";
import type { Caller } from "./caller.ts";
import type { Arrived, Handled } from "./messages.ts";

interface Receiver {
  readonly url: string;
  readonly handler: WebhookHandler;
}

const receivers = new Map<string, Receiver>();
let begun = false;

/**
 * Hands the deliveries to a URL to a function of this process: the server sends them to a port that this process listens
 * at, on the loopback range.
 */
export function receive(call: Caller, url: string, handler: WebhookHandler): () => void {
  if (typeof handler !== "function") throw new TypeError("webhooks.receive: the handler must be a function.");
  const path = `/${receivers.size + 1}-${Math.random().toString(36).slice(2)}`;
  const to = `http://127.0.0.1:${receiverPort()}${path}`;
  const { id } = call("webhooks.receive", { body: { url, to } }) as { readonly id: string };
  receivers.set(path, { url, handler });
  begin();
  return () => {
    receivers.delete(path);
    call("webhooks.receiveNoMore", { parameters: { id } });
  };
}

function begin(): void {
  if (begun) return;
  begun = true;
  const port = arrivalsPort();
  port.on("message", async (arrived: Arrived) => port.postMessage(await handle(arrived)));
  port.unref();
}

async function handle({ id, path, method, headers, body }: Arrived): Promise<Handled> {
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

/** The headers without those that belong to the connection. */
function withoutTransport(headers: Arrived["headers"]): Record<string, string> {
  const { host: _, connection: __, "content-length": ___, "transfer-encoding": ____, ...rest } = headers;
  return rest;
}
