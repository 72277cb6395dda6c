import { WEBHOOK_HEADERS } from "../../src/webhooks/sign.ts";
import { assumption, type Check, type Needs } from "../check.ts";
import { type Delivery, subscribed } from "../deliveries.ts";
import { NotObservable } from "../outcome.ts";
import { requireSuccess, type Service } from "../service.ts";

/** The number of events that fail. An endpoint that is still enabled afterwards is reported as never disabled. */
const EVENTS = 25;

/** Minimum interval between two checks for further attempts, in milliseconds. */
const SHORTEST_PAUSE = 250;

/** Attempts are over after this time without another, in milliseconds, plus three times the longest delay. */
const QUIET = 60_000;

const NEEDS: Needs = { writes: "endpoints", deliveries: true, requests: 20 };

const NO_RETRY = "no retry arrived: there is one attempt, or a longer delay";

/** The attempts to deliver events that all failed. */
interface Attempts {
  /** Each event's attempt times, by the subscription's clock. */
  readonly ofEvents: readonly (readonly number[])[];
  /** Whether the service has disabled the endpoint. */
  readonly isDisabled: boolean;
}

/** Makes many events fail, and waits until the endpoint is disabled or `retryMinutes` have passed. Runs once for all settings. */
function failedEvents(service: Service): Promise<Attempts> {
  return service.shared("failed events", async () => {
    const { retryMinutes } = service.settings;
    if (retryMinutes === undefined)
      throw new NotObservable("the attempts for one event may take hours; set `retryMinutes` to wait for them");
    const [type = ""] = service.contract.webhookEventTypes;
    const all = { types: [type], failures: Number.POSITIVE_INFINITY };
    return subscribed(service, all, async ({ deliveries, emit, endpoint, now, pause }) => {
      const end = now() + retryMinutes * 60_000;
      let emitted = 1;
      while ((await emit(type)).length > 0 && emitted < EVENTS) emitted += 1;
      if (deliveries.length === 0) throw new NotObservable("no delivery arrived");
      for (let looked = 0; ; ) {
        requireIds(deliveries, emitted);
        const isOver = now() >= end;
        const quiet = now() - lastOf(deliveries);
        const mayBeLast = quiet >= QUIET + 3 * longestDelay(deliveries);
        const ofEvents = [...timesOf(deliveries).values()];
        if (isOver && !mayBeLast)
          throw new NotObservable(
            `at least ${attemptsOf(ofEvents)} attempts: others may follow after the ${retryMinutes} min of \`retryMinutes\``,
          );
        if (isOver || (mayBeLast && looked < deliveries.length)) {
          looked = deliveries.length;
          const isDisabled = await isEndpointDisabled(service, endpoint.id);
          if (isOver || isDisabled) return { ofEvents, isDisabled };
        }
        await pause(Math.max(SHORTEST_PAUSE, Math.min(quiet / 10, end - now())));
      }
    });
  });
}

async function isEndpointDisabled(service: Service, id: string): Promise<boolean> {
  const { body } = requireSuccess(await service.send(`GET /v1/webhooks/endpoints/${id}`));
  const { enabled } = (body ?? {}) as { readonly enabled?: unknown };
  if (typeof enabled === "boolean") return !enabled;
  throw new NotObservable("the endpoint has no field `enabled` (WHE-1, WHE-3)");
}

/** Throws unless ids tell which deliveries are attempts of the same event. */
function requireIds(deliveries: readonly Delivery[], emitted: number): void {
  const { id } = WEBHOOK_HEADERS;
  if (deliveries.some(({ headers }) => !headers.get(id))) throw new NotObservable(`deliveries without ${id}`);
  const { size } = timesOf(deliveries);
  if (size > emitted) throw new NotObservable(`${size} values of ${id} for ${emitted} events (G-RETRY)`);
}

function timesOf(deliveries: readonly Delivery[]): ReadonlyMap<string, readonly number[]> {
  const times = new Map<string, number[]>();
  for (const { headers, at } of deliveries) {
    const id = String(headers.get(WEBHOOK_HEADERS.id));
    times.set(id, [...(times.get(id) ?? []), at]);
  }
  return times;
}

/** Returns the delays between an event's attempts. */
function delaysOf(times: readonly number[]): readonly number[] {
  return times.slice(1).map((at, index) => at - (times[index] as number));
}

function longestDelay(deliveries: readonly Delivery[]): number {
  return Math.max(0, ...[...timesOf(deliveries).values()].flatMap(delaysOf));
}

const lastOf = (deliveries: readonly Delivery[]) => (deliveries.at(-1) as Delivery).at;

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

/** Reports the observed delays, which do not reveal the settings behind them. */
async function showDelays(service: Service): Promise<never> {
  const { ofEvents } = await failedEvents(service);
  const delays = ofEvents.map(delaysOf).filter(({ length }) => length > 0);
  if (delays.length === 0) throw new NotObservable("no retry arrived");
  const [first, longest] = [delays.map(([delay = 0]) => delay), delays.flat()].map((each) =>
    seconds(Math.max(...each)),
  );
  throw new NotObservable(`delays include jitter and delivery time: at first up to ${first}, later up to ${longest}`);
}

/** Section 6: delivery retries. */
export const retryChecks: readonly Check[] = [
  assumption("G-RETRY", "retry.attempts", 10, NEEDS, async (service) => {
    const { ofEvents, isDisabled } = await failedEvents(service);
    const value = attemptsOf(ofEvents);
    if (value > 1 || isDisabled) return { value, evidence: `${value} attempts of a failed event` };
    throw new NotObservable(NO_RETRY);
  }),
  assumption("G-RETRY", "retry.firstDelayMs", 2_000, NEEDS, showDelays),
  assumption("G-RETRY", "retry.maxDelayMs", 20 * 60_000, NEEDS, showDelays),
  assumption("G-RETRY", "retry.jitter", 0.5, NEEDS, showDelays),
  assumption("G-DISABLE", "disableAfter", 10, NEEDS, async (service) => {
    const { ofEvents, isDisabled } = await failedEvents(service);
    const attempts = attemptsOf(ofEvents);
    if (!isDisabled && attempts === 1) throw new NotObservable(NO_RETRY);
    if (!isDisabled) return { value: null, evidence: `enabled after ${ofEvents.length} failed events` };
    const value = ofEvents.filter(({ length }) => length === attempts).length;
    return { value, evidence: `disabled after ${value} failed events` };
  }),
];

/** Returns the number of attempts for the event that had the most. Others may have fewer, once the endpoint is disabled. */
function attemptsOf(ofEvents: Attempts["ofEvents"]): number {
  return Math.max(...ofEvents.map(({ length }) => length));
}
