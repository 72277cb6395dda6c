import { onTestFinished, vi } from "vitest";
import { type BillingClient, type ClientOptions, createClient, type Event } from "#current";
import { createMock, type MockOptions } from "../../mock/index.ts";
import {
  createEventBuffer,
  type EventBuffer,
  type EventBufferOptions,
  memoryOutbox,
  type Outbox,
  type UsageEvent,
} from "../../src/usage/index.ts";
import { CURRENT } from "../support/versions.ts";

/** A mock with a client. */
export interface Service {
  readonly mock: ReturnType<typeof createMock>;
  readonly token: string;
  readonly billing: BillingClient;
  /** The number of events in each request so far whose body was read. */
  batches(): number[];
}

/** Creates a mock and a client that calls it. */
export function service(options: Partial<ClientOptions> = {}, mockOptions: MockOptions = {}): Service {
  const mock = createMock(mockOptions);
  const token = mock.issueToken();
  const billing = createClient({ accessToken: token, fetch: mock.fetch, logLevel: "off", ...options });
  const batches = (): number[] =>
    mock.requests
      .to("events:ingest")
      .filter(({ body }) => body !== null)
      .map(({ body }) => (body as { events: [] }).events.length);
  return { mock, token, billing, batches };
}

/** Creates a service that runs a function before each request. If the function returns a response, it is the response. */
export function through(
  before: (request: Request) => Promise<Response | undefined> | Promise<void>,
  options: Partial<ClientOptions> = {},
): Service {
  const given = service();
  const fetch = async (url: string, init: RequestInit) => {
    const request = new Request(url, init);
    return (await before(request)) ?? given.mock.fetch(request);
  };
  return { ...given, billing: createClient({ accessToken: given.token, fetch, logLevel: "off", ...options }) };
}

/** Creates a service that responds to every request with a status and a body. */
export function responding(status: number, body: string, headers: object = {}): Service {
  const all = { "content-type": "application/json", "service-version": CURRENT, ...headers };
  return through(async () => new Response(body, { status, headers: all }));
}

/** Short delays, so that tests with real timers are fast. */
export const QUICK_RETRIES = { minRetryDelay: 1, maxRetryDelay: 20, logLevel: "off" } as const;

/** Short delays of a buffer. */
export const QUICK = { ...QUICK_RETRIES, maxDelay: 5 } as const;

/** Creates a buffer with short delays that is closed when the test ends. */
export function buffer(billing: BillingClient, options: EventBufferOptions<Event> = {}): EventBuffer<Event> {
  const usage = createEventBuffer(billing, { ...QUICK, ...options });
  onTestFinished(() => usage.close({ timeout: 0 }).catch(() => undefined));
  return usage;
}

/** Creates a service and a buffer that sends to it, with what most tests need. */
export function buffered(options: EventBufferOptions<Event> = {}, given: Service = service()) {
  const [onRejected, onRetry, onError] = [vi.fn(), vi.fn(), vi.fn()];
  const usage = buffer(given.billing, { onRejected, onRetry, onError, ...options });
  return {
    ...given,
    usage,
    onRetry,
    onError,
    /** Adds events with consecutive ids at once. */
    add: (count: number, first = 1) => addAll(usage, eventsOf(count, first)),
    rejected: () => onRejected.mock.calls.flatMap(([events]) => events),
    /** The ids of the stored events, by their number. */
    ids: () =>
      given.mock.events
        .list()
        .map(({ external_id }) => external_id)
        .sort((a, b) => Number(a?.slice(6)) - Number(b?.slice(6))),
  };
}

/** Adds events at once. */
export async function addAll(usage: EventBuffer<Event>, events: readonly Event[]): Promise<void> {
  await Promise.all(events.map((event) => usage.add(event)));
}

/** Returns the ids of `eventsOf`. */
export const idsOf = (count: number, first = 1) => eventsOf(count, first).map(({ external_id }) => external_id);

/** Creates an outbox in memory with other methods or properties. */
export function outboxWith(change: Partial<Outbox> = {}): Outbox {
  const outbox = memoryOutbox();
  const names = ["append", "take", "confirm", "release", "state", "close"] as const;
  const methods = Object.fromEntries(names.map((name) => [name, outbox[name].bind(outbox)]));
  return { ...(methods as unknown as Outbox), ...change };
}

/** Creates events with consecutive ids. */
export function eventsOf(count: number, first = 1): (Event & UsageEvent)[] {
  return Array.from({ length: count }, (_, index) => ({
    name: "api.call",
    external_customer_id: "acme",
    external_id: `event-${first + index}`,
  }));
}

/** Creates an event that the service rejects. */
export function bad(id: string): Event & UsageEvent {
  return { name: "api.call", customer_id: "not-a-uuid", external_id: id };
}
