import { WEBHOOK_HEADERS } from "../../src/webhooks/sign.ts";
import { assumption, type Check, type Needs } from "../check.ts";
import { type Delivery, subscribed } from "../deliveries.ts";
import { NotObservable } from "../outcome.ts";
import { READ, type Service } from "../service.ts";

/** The number of events that fail. */
const EVENTS = 25;

/** Minimum interval between two checks for further attempts, in milliseconds. */
const SHORTEST_PAUSE = 250;

/** Attempts may be over after this time without another, in milliseconds, plus three times the longest delay. */
const QUIET = 60_000;

/** A service may have begun attempts within this time, in milliseconds, before it disabled the endpoint. */
const OVERLAP = 100;

const NEEDS: Needs = { writes: "endpoints", deliveries: true, requests: 20 };

/** The events that failed: the times of each one's attempts, by the run's clock. */
interface FailedEvents {
  readonly attempts: readonly (readonly number[])[];
  readonly isDisabled: boolean;
}

/** Makes many events fail, and waits until the endpoint is disabled or `retryMinutes` have passed. Runs once for all settings. */
async function failedEvents(service: Service): Promise<FailedEvents> {
  const { session, settings } = service;
  const { retryMinutes } = settings;
  if (retryMinutes === undefined)
    throw new NotObservable("the attempts for one event may take hours; set `retryMinutes` to wait for them");
  const [type = ""] = service.contract.webhookEventTypes;
  const run = () =>
    subscribed(service, { types: [type], failures: Number.POSITIVE_INFINITY }, async (failing) => {
      const { deliveries, endpoint } = failing;
      const end = session.now() + retryMinutes * 60_000;
      let emitted = 1;
      while ((await failing.emit(type)) && emitted < EVENTS) emitted += 1;
      if (deliveries.length === 0) throw new NotObservable("no delivery arrived");
      for (let looked = 0; ; ) {
        const attempts = attemptsOf(deliveries, emitted);
        const quiet = session.now() - (deliveries.at(-1)?.at ?? 0);
        const isOver = session.now() >= end;
        const isQuiet = quiet >= QUIET + 3 * Math.max(0, ...attempts.flatMap(delaysOf));
        if (isOver || (isQuiet && looked < deliveries.length)) {
          looked = deliveries.length;
          const { enabled } = (await service.send(`${READ}/${endpoint.id}`)).requireSuccess().fields;
          if (typeof enabled !== "boolean")
            throw new NotObservable("the endpoint has no field `enabled` (WHE-1, WHE-3)");
          if (isOver || !enabled) return { attempts, isDisabled: !enabled };
        }
        await session.pause(Math.max(SHORTEST_PAUSE, Math.min(quiet / 10, end - session.now())));
      }
    });
  return session.once("failed events", run);
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
  const tried = `${attempts.length} events, with up to ${most} attempts each`;
  throw new NotObservable(`${tried}, did not disable the endpoint within \`retryMinutes\``);
}

/** Reports the observed delays, which do not reveal the settings behind them. */
async function showDelays(service: Service): Promise<never> {
  const delays = (await failedEvents(service)).attempts.map(delaysOf).filter(({ length }) => length > 0);
  if (delays.length === 0) throw new NotObservable("no retry arrived");
  const longest = (each: readonly number[]) => `${(Math.max(...each) / 1000).toFixed(1)} s`;
  const [first, later] = [longest(delays.map(([delay = 0]) => delay)), longest(delays.flat())];
  throw new NotObservable(`delays include jitter and delivery time: at first up to ${first}, later up to ${later}`);
}

/** Section 6: delivery retries. */
export const retryChecks: readonly Check[] = [
  assumption("G-RETRY", "retry.attempts", 10, NEEDS, async (service) => {
    const [{ length: value } = []] = await exhausted(service);
    return { value, evidence: `${value} attempts of a failed event` };
  }),
  ...["firstDelayMs", "maxDelayMs", "jitter"].map((name) =>
    assumption("G-RETRY", `retry.${name}`, null, NEEDS, showDelays),
  ),
  assumption("G-DISABLE", "disableAfter", 10, NEEDS, async (service) => {
    const last = (await exhausted(service)).map((times) => times.at(-1) ?? 0).sort((one, other) => one - other);
    const { length: value } = last;
    const gap = (last.at(-1) ?? 0) - (last.at(-2) ?? Number.NEGATIVE_INFINITY);
    if (gap < OVERLAP && !service.session.hasOwnClock)
      throw new NotObservable(`the last attempts of ${value} events overlap, so some may follow the one that counted`);
    return { value, evidence: `disabled after ${value} failed events` };
  }),
];
