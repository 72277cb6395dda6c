import { vi } from "vitest";
import { createMock, type Mock, type MockOptions, type WebhookHandler } from "../../mock/index.ts";
import { handler } from "./receiver.ts";

/** A receiver that takes nothing. */
export const refusing: WebhookHandler = () => new Response("no", { status: 500 });

/** A mock with an endpoint whose deliveries go to a function, and an event for it. */
export function emitted(answer: WebhookHandler = refusing, options: MockOptions = { seed: 1 }) {
  const mock = createMock(options);
  const { received, handle, got } = handler(answer);
  const endpoint = mock.webhookEndpoints.create();
  mock.webhooks.receive(endpoint.url, handle);
  const [event] = mock.webhooks.emit("order.paid", { id: "ord_1" });
  const id = String(event?.id);
  return { mock, received, got, endpoint, id, status: () => mock.webhooks.events.get(id)?.status };
}

/** How long an event waits for its next attempt, in milliseconds: what the mock itself says. */
export function untilNextAttempt(mock: Mock, id: string): number {
  return Date.parse(String(mock.webhooks.events.get(id)?.next_attempt_at)) - Date.now();
}

/** Lets the next timer fire, and waits for what it sets off; says how long that took on the clock. */
export async function nextTimer(mock: Mock): Promise<number> {
  const before = Date.now();
  await vi.advanceTimersToNextTimerAsync();
  const waited = Date.now() - before;
  await mock.webhooks.idle();
  return waited;
}

/** Lets timers fire until none is left; says how long each wait was. */
export async function allTimers(mock: Mock): Promise<number[]> {
  const waits: number[] = [];
  while (vi.getTimerCount() > 0) waits.push(await nextTimer(mock));
  return waits;
}
