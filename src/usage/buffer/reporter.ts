import type { Log } from "../../client/log.ts";
import { asError, listFirst } from "../../values/describe.ts";
import { within } from "../../values/wait.ts";
import { type Failure, parseStored, type Rejection, type Stored } from "../deliver.ts";
import type { RejectedEvent } from "../event.ts";
import type { NewOutboxEvent } from "../outbox.ts";
import type { EventBufferCallbacks } from "./options.ts";

/** Event counts since the buffer was created. */
export interface EventCounts {
  /** Events that the service has stored, including duplicates. */
  readonly sent: number;
  /** Sent events that the service had stored before. */
  readonly duplicates: number;
  /**
   * Events in requests that succeeded with counts that do not add up to the number of events. They are not sent again, and not
   * included in `sent` and `duplicates`.
   */
  readonly unconfirmed: number;
  /** Events that the service rejected. */
  readonly rejected: number;
  /** Events that `add` rejected because the buffer or the outbox was full. */
  readonly overflowed: number;
  /** Events that `close` could not send, if the outbox is not durable. */
  readonly dropped: number;
  /** Failed requests that were retried. */
  readonly retries: number;
}

/** A series of failed requests. */
interface Outage {
  readonly since: Date;
  requests: number;
  isLogged: boolean;
}

/** The delay from which the first failure is logged, in milliseconds: the second attempt would be too late. */
const LONG_DELAY = 5_000;

/** The time after which a problem that has not occurred meanwhile is logged again, in milliseconds. */
const EPISODE = 60_000;

/** The maximum time that rejected events stay in the outbox for `onRejected`, in milliseconds: less than that of `close`. */
const REJECTED_LIMIT = 10_000;

/** Counts events and calls the user's functions, whose errors never reach the buffer. */
export class Reporter {
  readonly counts = { sent: 0, duplicates: 0, unconfirmed: 0, rejected: 0, overflowed: 0, dropped: 0, retries: 0 };
  readonly #callbacks: EventBufferCallbacks;
  readonly #log: Log;
  /** The failures since the last response that settled events. */
  #outage: Outage | undefined;
  /** The error of the last failed request, until the service responds as it should. */
  lastError: Error | undefined;
  /** The time at which each problem last occurred. */
  readonly #last = new Map<string, number>();

  constructor(callbacks: EventBufferCallbacks, log: Log) {
    this.#callbacks = callbacks;
    this.#log = log;
  }

  /** Reports events that the service has stored, or not all of them by its own numbers. */
  sent(events: number, { inserted, duplicates, duration, mismatch }: Stored): void {
    this.#settled();
    if (mismatch !== undefined) {
      this.counts.unconfirmed += events;
      this.#log.warn?.(mismatch.message, { events, error: mismatch.name });
      callSafely(this.#log, this.#callbacks, "onError", mismatch);
      return;
    }
    this.counts.sent += events;
    this.counts.duplicates += duplicates;
    callSafely(this.#log, this.#callbacks, "onSent", { events, inserted, duplicates, duration });
  }

  /** Reports events that the service will not store. Resolves when the user's function has settled, or after a limit. */
  async rejected(rejections: readonly Rejection<NewOutboxEvent>[]): Promise<void> {
    this.#settled();
    this.counts.rejected += rejections.length;
    const rejected = rejections.map(({ item, problems }) => ({ event: parseStored(item), problems }));
    const { onRejected } = this.#callbacks;
    const late = () => new Error(`its promise did not settle within ${REJECTED_LIMIT / 1000} seconds`);
    const limited = onRejected && (() => within(REJECTED_LIMIT, () => onRejected(rejected), late));
    const called = callSafely(this.#log, { onRejected: limited }, "onRejected");
    if (called !== undefined) return called;
    const problems = listFirst(rejected, describe);
    this.#log.warn?.(`${counted(rejected)} rejected: ${problems}. To handle rejected events, set onRejected.`, {
      events: rejected.length,
    });
  }

  /** Counts and logs an event that does not fit. Rethrows the error. */
  failedToAdd(thrown: unknown, queued: number): never {
    if ((thrown as { readonly reason?: unknown } | null)?.reason === "full") {
      this.counts.overflowed += 1;
      this.#warnOnce("Usage events are not queued", asError(thrown), { queued });
    }
    throw thrown;
  }

  /** Reports events that a closed buffer could not send. */
  dropped(events: readonly NewOutboxEvent[]): void {
    this.counts.dropped += events.length;
    if (callSafely(this.#log, this.#callbacks, "onDropped", events.map(parseStored))) return;
    this.#log.warn?.(`${counted(events)} dropped. To handle dropped events, set onDropped.`, { events: events.length });
  }

  /** Reports a failed request. Logs one warning for an outage, from the second attempt, since one failure is no outage. */
  failed({ error, attempt, delay, isPermanent }: Failure, events: number, queued: number): void {
    this.counts.retries += 1;
    this.lastError = error;
    callSafely(this.#log, this.#callbacks, "onRetry", { error, events, attempt, delay });
    if (isPermanent) callSafely(this.#log, this.#callbacks, "onError", error);
    this.#outage ??= { since: new Date(), requests: 0, isLogged: false };
    this.#outage.requests += 1;
    if (this.#outage.isLogged || (attempt < 2 && delay < LONG_DELAY)) return;
    this.#outage.isLogged = true;
    const since = this.#outage.since.toISOString();
    const reason = error.message.replace(/\.$/, "");
    const message = `Usage events cannot be sent since ${since}: ${reason}. ${queued} queued, retrying until it works.`;
    this.#log.warn?.(message, { queued, error: error.name });
  }

  /** Notes that the service has stored or rejected events. */
  #settled(): void {
    const outage = this.#outage;
    this.#outage = undefined;
    this.lastError = undefined;
    if (outage?.isLogged !== true) return;
    const seconds = Math.max(1, Math.round((Date.now() - outage.since.getTime()) / 1000));
    this.#log.warn?.(`Usage events are sent again after ${seconds} s and ${outage.requests} failed requests.`, {
      seconds,
    });
  }

  /** Reports an error that lasts until you fix its cause. */
  error(thrown: unknown): void {
    const error = asError(thrown);
    if (callSafely(this.#log, this.#callbacks, "onError", error)) return;
    this.#warnOnce("The outbox of usage events failed", error, {});
  }

  /** Logs a problem, unless it also occurred in the minute before. */
  #warnOnce(problem: string, error: Error, details: object): void {
    const isNew = performance.now() - (this.#last.get(problem) ?? Number.NEGATIVE_INFINITY) > EPISODE;
    this.#last.set(problem, performance.now());
    if (isNew) this.#log.warn?.(`${problem}: ${error.message}`, { ...details, error: error.name });
  }
}

function counted({ length }: readonly unknown[]): string {
  return length === 1 ? "1 usage event was" : `${length} usage events were`;
}

function describe({ event, problems }: RejectedEvent): string {
  const [problem] = problems;
  const text = [problem?.path, problem?.message].filter((part) => part !== "" && part !== undefined).join(": ");
  return `${event.external_id ?? "unknown"} (${text})`;
}

/** Functions of a user, by name. Each may be missing. */
type Callbacks<Name extends string> = { readonly [Each in Name]?: ((...args: never[]) => unknown) | undefined };

/**
 * Calls a user's function. If it throws, or its promise rejects, a warning is logged. Returns a promise that then resolves,
 * or undefined if the user passed no function.
 */
export function callSafely<Name extends string, Given extends Callbacks<Name>>(
  log: Log,
  callbacks: Given,
  name: Name,
  ...args: Parameters<NonNullable<Given[Name]>>
): Promise<void> | undefined {
  const callback = callbacks[name];
  if (callback === undefined) return undefined;
  const called = (async () => void (await callback(...args)))();
  return called.catch((error: unknown) => log.warn?.(`${name} failed: ${asError(error).message}`, { function: name }));
}
