import { WEBHOOK_HEADERS } from "../../src/webhooks/sign.ts";
import { assumption, type Check, type Needs } from "../check.ts";
import { type Delivery, subscribed } from "../deliveries.ts";
import { NotObservable } from "../outcome.ts";
import { READ, type Service } from "../service.ts";

/** The number of events that fail at most, one after another. */
const EVENTS = 25;

/** Minimum interval between two checks for further attempts, in milliseconds. */
const SHORTEST_PAUSE = 250;

/** Attempts may be over after this time without another, in milliseconds, plus three times the longest delay. */
const QUIET = 15 * 60_000;

/** The time that a service may take to count a failed event, in milliseconds. */
const SETTLE = 5_000;

const NEEDS: Needs = { writes: "endpoints", deliveries: true, requests: 4 * EVENTS };

/** The events that failed: the times of each one's attempts, by the run's clock. */
interface FailedEvents {
  readonly attempts: readonly (readonly number[])[];
  readonly isDisabled: boolean;
}

/**
 * Makes events fail one after another, each after the attempts for the last, until the service disables the endpoint or
 * `retryMinutes` have passed: a service may count later than it sends. Runs once for all settings.
 */
async function failedEvents(service: Service): Promise<FailedEvents> {
  const { requester, settings } = service;
  const { retryMinutes } = settings;
  if (retryMinutes === undefined) throw new NotObservable("the attempts for one event may take hours", "retryMinutes");
  const [type = ""] = settings.eventTypes.length > 0 ? settings.eventTypes : service.contract.webhookEventTypes;
  const run = () =>
    subscribed(service, { types: [type], failures: Number.POSITIVE_INFINITY }, async (failing) => {
      const end = requester.now() + retryMinutes * 60_000;
      const isEnabled = async () => {
        const { enabled } = (await service.send(`${READ}/${failing.endpoint.id}`)).requireSuccess().fields;
        if (typeof enabled === "boolean") return enabled;
        throw new NotObservable("the endpoint has no field `enabled` (WHE-1, WHE-3)");
      };
      for (let emitted = 1; ; emitted++) {
        const isSent = (await failing.emit(type)) !== undefined;
        if (failing.deliveries.length === 0) throw new NotObservable("no delivery arrived");
        const attempts = await allAttempts(failing.deliveries, emitted, requester, end);
        let isDisabled = !(await isEnabled());
        // Without a delivery, the service has disabled the endpoint, and may show it later.
        for (; !isSent && !isDisabled && requester.now() < end; isDisabled = !(await isEnabled()))
          await requester.pause(Math.min(QUIET, end - requester.now()));
        if (isDisabled || emitted === EVENTS || requester.now() >= end) return { attempts, isDisabled };
      }
    });
  return requester.once("failed events", run);
}

/** Waits for the attempts for the last event: as many as for the first, otherwise until no other follows. */
async function allAttempts(
  deliveries: readonly Delivery[],
  emitted: number,
  requester: Service["requester"],
  end: number,
): Promise<FailedEvents["attempts"]> {
  for (;;) {
    const attempts = attemptsOf(deliveries, emitted);
    const quiet = requester.now() - (deliveries.at(-1)?.at ?? 0);
    const longest = QUIET + 3 * Math.max(0, ...attempts.flatMap(delaysOf));
    const isComplete = attempts.length > 1 && attempts.at(-1)?.length === attempts[0]?.length && quiet >= SETTLE;
    if (isComplete || quiet >= longest || requester.now() >= end) return attempts;
    await requester.pause(Math.max(SHORTEST_PAUSE, Math.min(quiet / 10, SETTLE, end - requester.now())));
  }
}

/** Returns the attempts of each event. Throws unless ids tell which deliveries are attempts of the same event. */
function attemptsOf(deliveries: readonly Delivery[], emitted: number): FailedEvents["attempts"] {
  const { id: name } = WEBHOOK_HEADERS;
  const events = new Map<string, number[]>();
  for (const { headers, at } of deliveries) {
    const id = headers.get(name);
    if (!id) throw new NotObservable(`deliveries without ${name}`);
    events.set(id, [...(events.get(id) ?? []), at]);
  }
  if (events.size <= emitted) return [...events.values()];
  throw new NotObservable(`${events.size} values of ${name} for ${emitted} events (G-RETRY)`);
}

/** Returns the delays between an event's attempts. */
function delaysOf(times: readonly number[]): readonly number[] {
  return times.slice(1).map((at, index) => at - (times[index] as number));
}

/** Returns the attempts of the events that had the most. Only a disabled endpoint shows that no others follow. */
async function exhausted(service: Service): Promise<FailedEvents["attempts"]> {
  const { attempts, isDisabled } = await failedEvents(service);
  const most = Math.max(...attempts.map(({ length }) => length));
  if (isDisabled) return attempts.filter(({ length }) => length === most);
  const tried = `${attempts.length} failed events, with up to ${most} attempts each`;
  throw new NotObservable(`${tried}, did not disable the endpoint in time`, "retryMinutes");
}

/** Section 6: delivery retries. */
export const retryChecks: readonly Check[] = [
  assumption("G-RETRY", "retry.attempts", 10, NEEDS, async (service) => {
    const [{ length: value } = []] = await exhausted(service);
    return { value, evidence: `${value} attempts of a failed event` };
  }),
  assumption("G-DISABLE", "disableAfter", 10, { ...NEEDS, requests: 0 }, async (service) => {
    // An event whose attempts were cut short follows the one that counted.
    const { length: value } = await exhausted(service);
    return { value, evidence: `disabled after ${value} failed events, one after another` };
  }),
];
