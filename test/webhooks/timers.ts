import { vi } from "vitest";
import type { Mock, MockOptions, WebhookHandler } from "../../mock/index.ts";
import { receiving } from "./receiver.ts";

/** A handler that fails every delivery. */
export const failing: WebhookHandler = () => new Response("no", { status: 500 });

/** Creates a mock with an endpoint whose deliveries go to a function, and emits an event. */
export function emitted(answer: WebhookHandler = failing, options: MockOptions = { seed: 1 }) {
  const { mock, endpoint, received, got } = receiving(options, { answer });
  const [event] = mock.webhooks.emit("order.paid", { id: "ord_1" });
  const id = String(event?.id);
  return { mock, received, got, endpoint, id, status: () => mock.webhooks.events.get(id)?.status };
}

/** Returns the delay until the next attempt of an event in milliseconds, as the mock reports it. */
export function untilNextAttempt(mock: Mock, id: string): number {
  return Date.parse(String(mock.webhooks.events.get(id)?.next_attempt_at)) - Date.now();
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
