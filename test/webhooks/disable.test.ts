import { expect, it, vi } from "vitest";
import { type Assumptions, defaultAssumptions, type EmittedEvent, type MockOptions } from "../../mock/index.ts";
import { allTimers, receiving } from "./mocked.ts";

/** Allows one attempt per event, so that an event fails immediately. */
const once = { attempts: 1, timeout: 1_000, firstDelay: 0, maxDelay: 0, jitter: 0 };

/** Creates a mock with an endpoint whose receiver responds as the test says. */
function failing(assumptions: Partial<Assumptions> = {}, now: MockOptions["now"] = "2025-01-01T00:00:01Z") {
  const receiver = { status: 500 };
  const answer = () => new Response(null, { status: receiver.status });
  const made = receiving({ assumptions: { retry: once, ...assumptions }, now }, { answer });
  /** Emits events, and returns whether the endpoint is still enabled. */
  const emit = async (times: number) => {
    await made.deliver({}, times);
    return made.current()?.enabled;
  };
  return { ...made, receiver, emit };
}

it("G-DISABLE: an endpoint is disabled after ten consecutive failed events; its pending events are skipped", async () => {
  const { mock, emit, current, received } = failing();
  const other = mock.webhookEndpoints.create({ url: "https://app.example/other" });
  mock.webhooks.receive(other.url, () => new Response());
  expect(defaultAssumptions.disableAfter).toBe(10);
  expect(await emit(9)).toBe(true);
  expect(current()?.modified_at).toBeNull();
  expect(await emit(6)).toBe(false);
  expect(current()?.modified_at).toBe("2025-01-01T00:00:01.000000Z");
  expect(received).toHaveLength(10);
  const counts = Object.entries(Object.groupBy(mock.webhooks.events.list(), ({ status }) => status));
  expect(Object.fromEntries(counts.map(([status, events]) => [status, events?.length]))).toEqual({
    failed: 10,
    skipped: 5,
    succeeded: 15,
  });
  const [skipped] = mock.webhooks.events.list().filter(({ status }) => status === "skipped");
  expect(skipped).toMatchObject({ attempts_left: 0, next_attempt_at: null });
});

it("G-DISABLE: failed events count, not attempts; events that wait for a retry are skipped, without timers", async () => {
  vi.useFakeTimers();
  const retry = { ...once, attempts: 3, firstDelay: 20, maxDelay: 20 };
  const { mock, emit, current, received } = failing({ retry, disableAfter: 2 });
  await emit(1);
  mock.webhooks.redeliver(String(mock.webhooks.events.list()[0]?.id));
  expect(await emit(2)).toBe(true);
  await allTimers(mock);
  expect(current()?.enabled).toBe(false);
  expect(mock.webhooks.events.list().map(({ status }) => status)).toEqual(["failed", "failed", "skipped"]);
  // Of the first event: one attempt, then three of its redelivery. Of the second: all three. Of the third: the two
  // before the second failed.
  expect(received).toHaveLength(1 + 3 + 3 + 2);
  expect(vi.getTimerCount()).toBe(0);
});

it("G-DISABLE: events count, not redeliveries; a success or enabling the endpoint starts a new count", async () => {
  const { mock, emit, receiver, endpoint } = failing();
  await emit(1);
  // An event that fails again counts once.
  for (let i = 0; i < 12; i++) mock.webhooks.redeliver(String(mock.webhooks.events.list()[0]?.id));
  expect(await emit(8)).toBe(true);
  receiver.status = 200;
  await emit(1);
  receiver.status = 500;
  const { id } = mock.webhooks.events.list().at(-1) as EmittedEvent;
  mock.webhooks.redeliver(id);
  expect(await emit(9)).toBe(true);
  expect(mock.webhooks.events.get(id)).toMatchObject({ status: "succeeded", attempts: 2 });
  expect(await emit(1)).toBe(false);
  mock.webhookEndpoints.update(endpoint.id, { enabled: true });
  expect(await emit(9)).toBe(true);
});

it("G-DISABLE: an endpoint that its receiver deletes or disables stays as it is; null never disables", async () => {
  const report = vi.spyOn(console, "error").mockReturnValue();
  const { mock, endpoint, emit } = failing({ disableAfter: 1 });
  const off = mock.webhookEndpoints.create({ url: "https://app.example/off" });
  const changed = { enabled: false, modified_at: "2024-01-01T00:00:00.000000Z" };
  const changes = {
    [endpoint.url]: () => mock.webhookEndpoints.delete(endpoint.id),
    [off.url]: () => mock.webhookEndpoints.update(off.id, changed),
  };
  for (const [url, change] of Object.entries(changes)) {
    mock.webhooks.receive(url, () => {
      change();
      return new Response(null, { status: 500 });
    });
  }
  await emit(1);
  expect(mock.webhookEndpoints.list()).toEqual([{ ...off, ...changed }]);
  expect(report).not.toHaveBeenCalled();
  expect(await failing({ disableAfter: null }).emit(12)).toBe(true);
});
