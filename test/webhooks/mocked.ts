import { createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { onTestFinished, vi } from "vitest";
import { createMock, type Mock, type MockOptions, type WebhookHandler } from "../../mock/index.ts";
import { type ReceivedRequest, receivedRequests, startReceiver } from "../support/local-server.ts";

/** A delivery that a receiver got. */
export type Received = ReceivedRequest;

/** Starts an HTTP receiver on this machine, which is closed when the test ends. Responds with 200 by default. */
export async function receiver(
  respond: (response: ServerResponse, request: IncomingMessage) => unknown = (response) => response.end(),
) {
  const { origin, received, got } = await startReceiver((request, response) => void respond(response, request));
  return { url: `${origin}/webhooks`, received, got };
}

/** Creates a handler that collects the deliveries it gets. Responds with 204 by default. */
export function handler(answer: WebhookHandler = () => new Response(null, { status: 204 })) {
  const { received, news, got } = receivedRequests();
  const handle: WebhookHandler = async (request) => {
    const { method, headers } = request;
    const body = await request.clone().text();
    received.push({ method, path: new URL(request.url).pathname, headers: Object.fromEntries(headers), body });
    news.emit("received");
    return answer(request);
  };
  return { received, handle, got };
}

/** A handler that fails every delivery. */
export const failing: WebhookHandler = () => new Response("no", { status: 500 });

/** Creates a mock with an endpoint whose deliveries go to a function, and what delivers events to it. */
export function receiving(
  options: MockOptions = {},
  {
    answer,
    ...endpoint
  }: { readonly answer?: WebhookHandler } & Parameters<Mock["webhookEndpoints"]["create"]>[0] = {},
) {
  const mock = createMock(options);
  onTestFinished(() => {
    mock.reset();
    // A checkpoint may have pending events, whose retries would reach the next test.
    for (const { id } of mock.webhookEndpoints.list()) mock.webhookEndpoints.delete(id);
  });
  const collected = handler(answer);
  const created = mock.webhookEndpoints.create(endpoint);
  mock.webhooks.receive(created.url, collected.handle);
  /** Emits events one after another, and returns the newest delivery after all were made. */
  const deliver = async (data: unknown = {}, times = 1): Promise<Received> => {
    for (let i = 0; i < times; i++) mock.webhooks.emit("order.paid", data);
    await mock.webhooks.idle();
    return collected.received.at(-1) as Received;
  };
  const current = () => mock.webhookEndpoints.get(created.id);
  return { mock, endpoint: created, current, deliver, ...collected };
}

/** Creates a mock with an endpoint whose deliveries go to a function, and emits an event. */
export function emitted(answer: WebhookHandler = failing, options: MockOptions = { seed: 1 }) {
  const made = receiving(options, { answer });
  const [event] = made.mock.webhooks.emit("order.paid", { id: "ord_1" });
  const id = String(event?.id);
  const stored = () => made.mock.webhooks.events.get(id);
  return { ...made, id, stored, status: () => stored()?.status };
}

/** Fires the next timer, waits for its deliveries, and returns the time that passed on the clock. */
export async function nextTimer(mock: Mock): Promise<number> {
  const before = Date.now();
  await vi.advanceTimersToNextTimerAsync();
  const waited = Date.now() - before;
  await mock.webhooks.idle();
  return waited;
}

/** Fires timers until none is left, and returns the time before each. */
export async function allTimers(mock: Mock): Promise<number[]> {
  const waits: number[] = [];
  while (vi.getTimerCount() > 0) waits.push(await nextTimer(mock));
  return waits;
}

/** Returns the signature of a delivery by the original scheme, computed without the project's code. */
export function originalSignature({ headers, body }: Received, secret: string): string {
  const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", secret).update(text).digest("base64")}`;
}

/** Returns the data in the body of a delivery or an event. */
export function dataOf(delivery: { readonly body: string } | undefined): unknown {
  return JSON.parse(String(delivery?.body)).data;
}
