import { WEBHOOK_HEADERS } from "../../src/webhooks/sign.ts";
import { assumption, type Check, type Needs } from "../check.ts";
import { type Delivery, subscribed } from "../deliveries.ts";
import { NotObservable } from "../outcome.ts";
import type { Service } from "../service.ts";

/** The number of events that fail. An endpoint that is still enabled afterwards is reported as never disabled. */
const EVENTS = 25;

/** Pauses between looking for further attempts, in milliseconds. */
const [SHORTEST_PAUSE, LONGEST_PAUSE] = [250, 60_000];

/** The time without an attempt after which they are over, in milliseconds, in addition to thrice the longest delay. */
const QUIET = 60_000;

const NEEDS: Needs = { writes: "endpoints", deliveries: true, requests: 10 };

/** The attempts of events that all failed. */
interface Attempts {
  /** The times of the attempts of each event, by the clock of the subscription. */
  readonly ofEvents: readonly (readonly number[])[];
  /** Whether the service has disabled the endpoint. */
  readonly isDisabled: boolean;
}

/** Makes many events fail, and waits until no attempt follows. Runs once for all settings. */
function failedEvents(service: Service): Promise<Attempts> {
  return service.shared("failed events", async () => {
    const { retryMinutes } = service.settings;
    if (retryMinutes === undefined)
      throw new NotObservable("the attempts of an event may take hours: allow that with `retryMinutes`");
    const [type = ""] = service.contract.webhookEventTypes;
    const all = { types: [type], failures: Number.POSITIVE_INFINITY };
    return subscribed(service, all, async ({ deliveries, emit, endpoint, now, pause }) => {
      const started = now();
      for (let count = 0; count < EVENTS && (await emit(type)).length > 0; count++);
      if (deliveries.length === 0) throw new NotObservable("no delivery arrived");
      for (let quiet = 0; quiet < QUIET + 3 * longestDelay(deliveries); quiet = now() - lastOf(deliveries)) {
        if (now() > started + retryMinutes * 60_000)
          throw new NotObservable(`attempts may follow after the ${retryMinutes} min of \`retryMinutes\``);
        await pause(Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, quiet / 10)));
      }
      const { body } = await service.send(`GET /v1/webhooks/endpoints/${endpoint.id}`);
      const isDisabled = (body as { enabled?: unknown } | undefined)?.enabled === false;
      return { ofEvents: [...timesOf(deliveries).values()], isDisabled };
    });
  });
}

function timesOf(deliveries: readonly Delivery[]): ReadonlyMap<string, readonly number[]> {
  const times = new Map<string, number[]>();
  for (const { headers, at } of deliveries) {
    const id = String(headers.get(WEBHOOK_HEADERS.id));
    times.set(id, [...(times.get(id) ?? []), at]);
  }
  return times;
}

/** Returns the delays between the attempts of each event. */
function delaysOf(times: readonly number[]): readonly number[] {
  return times.slice(1).map((at, index) => at - (times[index] as number));
}

function longestDelay(deliveries: readonly Delivery[]): number {
  return Math.max(0, ...[...timesOf(deliveries).values()].flatMap(delaysOf));
}

const lastOf = (deliveries: readonly Delivery[]) => (deliveries.at(-1) as Delivery).at;

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

/** Says which delays were seen. The settings behind them cannot be told from it. */
async function showDelays(service: Service): Promise<never> {
  const { ofEvents } = await failedEvents(service);
  const delays = ofEvents.map(delaysOf).filter(({ length }) => length > 0);
  if (delays.length === 0) throw new NotObservable("no retry arrived");
  const [first, longest] = [delays.map(([delay = 0]) => delay), delays.flat()].map((each) =>
    seconds(Math.max(...each)),
  );
  throw new NotObservable(
    `delays have jitter, and the time of a delivery: at first up to ${first}, later up to ${longest}`,
  );
}

/** Section 6: the retries of failed deliveries. */
export const retryChecks: readonly Check[] = [
  assumption("G-RETRY", "retry.attempts", 10, NEEDS, async (service) => {
    const { ofEvents, isDisabled } = await failedEvents(service);
    const value = attemptsOf(ofEvents);
    if (value > 1 || isDisabled) return { value, evidence: `${value} attempts of a failed event` };
    throw new NotObservable("no retry arrived within a minute: there is one attempt, or a longer delay");
  }),
  assumption("G-RETRY", "retry.firstDelayMs", 2_000, NEEDS, showDelays),
  assumption("G-RETRY", "retry.maxDelayMs", 20 * 60_000, NEEDS, showDelays),
  assumption("G-RETRY", "retry.jitter", 0.5, NEEDS, showDelays),
  assumption("G-DISABLE", "disableAfter", 10, NEEDS, async (service) => {
    const { ofEvents, isDisabled } = await failedEvents(service);
    if (!isDisabled) return { value: null, evidence: `enabled after ${ofEvents.length} failed events` };
    const value = ofEvents.filter(({ length }) => length === attemptsOf(ofEvents)).length;
    return { value, evidence: `disabled after ${value} failed events` };
  }),
];

/** Returns the attempts of an event that failed: the most of any, because a disabled endpoint receives no more. */
function attemptsOf(ofEvents: Attempts["ofEvents"]): number {
  return Math.max(...ofEvents.map(({ length }) => length));
}
