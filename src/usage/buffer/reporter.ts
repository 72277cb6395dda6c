import type { Log } from "../../client/log.ts";
import { isRateLimitError } from "../../errors/index.ts";
import { asError, listFirst } from "../../values/describe.ts";
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
   * Events that the service may not have stored: the counts in its response did not add up, also when they were sent once more.
   * `onUnconfirmed` received them. They are not included in `sent` and `duplicates`.
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
  /** The number of `retries` by their cause: the status of the response, or the name of the error. */
  readonly retriesByCause: Readonly<Record<string, number>>;
  /** The time of the last request that stored or rejected events, in milliseconds since 1970; undefined before the first. */
  readonly lastSuccess: number | undefined;
}

/** The time since the last success. */
interface Outage {
  /** The time of the first failure, in milliseconds since 1970. */
  readonly since: number;
  /** The time until which the service asks to wait in a 429. */
  until: number;
  isLogged: boolean;
}

/** The time without a success, or the delay before the next attempt, from which an outage is logged, in milliseconds. */
const LONG = 5_000;

/** The time after which a problem that has not occurred meanwhile is logged again, in milliseconds. */
const EPISODE = 60_000;

/** Counts events and calls the user's functions, whose errors never reach the buffer. */
export class Reporter {
  readonly counts = { sent: 0, duplicates: 0, unconfirmed: 0, rejected: 0, overflowed: 0, dropped: 0, retries: 0 };
  readonly #causes = new Map<string, number>();
  #lastSuccess: number | undefined;
  readonly #callbacks: EventBufferCallbacks;
  readonly #log: Log;
  #outage: Outage | undefined;
  /** The error of the last failed request, until the service responds as it should. */
  lastError: Error | undefined;
  /** The time at which each problem last occurred. */
  readonly #last = new Map<string, number>();

  constructor(callbacks: EventBufferCallbacks, log: Log) {
    this.#callbacks = callbacks;
    this.#log = log;
  }

  /** Returns the counts of now. */
  get stats(): EventCounts {
    return { ...this.counts, retriesByCause: Object.fromEntries(this.#causes), lastSuccess: this.#lastSuccess };
  }

  /** Reports events that the service has stored. */
  sent(events: number, { duplicates, problem }: Stored): void {
    this.#settled();
    this.counts.sent += events;
    this.counts.duplicates += duplicates;
    if (problem !== undefined)
      this.#warnOnce("Usage events are stored, but the response has another form", problem, {});
  }

  /** Passes on events that the service will not store. Returns the error if the user's function has not taken them over. */
  rejected(rejections: readonly Rejection<NewOutboxEvent>[]): Promise<Error | undefined> {
    const rejected = rejections.map(({ item, problems }) => ({ event: parseStored(item), problems }));
    return this.#passOn("onRejected", rejected, "rejected", rejected.map(describe));
  }

  /** Passes on events that may not be stored. Returns the error if the user's function has not taken them over. */
  unconfirmed(items: readonly NewOutboxEvent[], error: Error): Promise<Error | undefined> {
    const events = items.map(parseStored);
    const ids = events.map(({ external_id }) => String(external_id));
    return this.#passOn("onUnconfirmed", events, `sent twice, and may not be stored (${error.message})`, ids);
  }

  async #passOn<Name extends "onRejected" | "onUnconfirmed">(
    name: Name,
    given: readonly unknown[],
    fate: string,
    list: readonly string[],
  ): Promise<Error | undefined> {
    this.#settled();
    const events = given.length;
    const counted = events === 1 ? "1 usage event was" : `${events} usage events were`;
    if (this.#callbacks[name] === undefined) {
      const warning = `${counted} ${fate}: ${listFirst(list, String)}. To handle them, set ${name}.`;
      this.#log.warn?.(warning, { events, list });
      return undefined;
    }
    try {
      await this.#callbacks[name]?.(given as never);
      return undefined;
    } catch (thrown) {
      const error = asError(thrown);
      this.#log.warn?.(`${name} failed: ${error.message}; the outbox keeps its events`, { function: name, events });
      return error;
    }
  }

  /** Counts and logs an event that was not added, if it did not fit. */
  failedToAdd(thrown: unknown, queued: number): void {
    if ((thrown as { readonly reason?: unknown } | null)?.reason !== "full") return;
    this.counts.overflowed += 1;
    this.#warnOnce("Usage events are not queued", asError(thrown), { queued });
  }

  /** Reports a failed request. Logs one warning for an outage, once nothing has succeeded for a time. */
  failed({ error, attempt, delay, isPermanent, failingFor }: Failure, events: number, queued: number): void {
    this.counts.retries += 1;
    const cause = String((error as { readonly status?: unknown }).status ?? error.name);
    this.#causes.set(cause, (this.#causes.get(cause) ?? 0) + 1);
    this.lastError = error;
    void callSafely(this.#log, "onRetry", () => this.#callbacks.onRetry?.({ error, events, attempt, delay }));
    if (isPermanent) void callSafely(this.#log, "onError", () => this.#callbacks.onError?.(error));
    this.#outage ??= { since: Date.now(), until: 0, isLogged: false };
    if (isRateLimitError(error)) this.#outage.until = Math.max(this.#outage.until, Date.now() + delay);
    if (Date.now() - this.#outage.since >= LONG || delay >= LONG) this.#logOutage(this.#outage, error, delay, queued);
    else if (failingFor > EPISODE)
      this.#warnOnce(`A batch of ${events} usage events fails, while others are sent`, error, { events });
  }

  #logOutage(outage: Outage, error: Error, delay: number, queued: number): void {
    if (outage.isLogged) return;
    outage.isLogged = true;
    const state = isRateLimitError(error) ? "wait for a rate limit" : "cannot be sent";
    const next = delay < LONG ? "The buffer keeps trying" : `The next attempt is in ${Math.round(delay / 1000)} s`;
    const reason = `${new Date(outage.since).toISOString()}: ${error.message.replace(/\.$/, "")}`;
    this.#log.warn?.(`Usage events ${state} since ${reason}. ${queued} wait. ${next}.`, { queued, error: error.name });
  }

  /** Notes that the service has stored or rejected events. */
  #settled(): void {
    const outage = this.#outage;
    this.#lastSuccess = Date.now();
    // A request in progress may succeed while a Retry-After holds the others up.
    if (outage && outage.until - Date.now() >= LONG) return;
    [this.#outage, this.lastError] = [undefined, undefined];
    if (outage?.isLogged !== true) return;
    const seconds = Math.round((Date.now() - outage.since) / 100) / 10;
    this.#log.warn?.(`Sending usage events works again after ${seconds} s.`, { seconds });
  }

  /** Reports an error that lasts until you fix its cause. */
  error(thrown: unknown): void {
    const error = asError(thrown);
    if (this.#callbacks.onError === undefined) this.#warnOnce("The outbox of usage events failed", error, {});
    void callSafely(this.#log, "onError", () => this.#callbacks.onError?.(error));
  }

  /** Logs a problem, unless it also occurred in the minute before. */
  #warnOnce(problem: string, error: Error, details: object): void {
    const isNew = performance.now() - (this.#last.get(problem) ?? Number.NEGATIVE_INFINITY) > EPISODE;
    this.#last.set(problem, performance.now());
    if (isNew) this.#log.warn?.(`${problem}: ${error.message}`, { ...details, error: error.name });
  }
}

function describe({ event, problems }: RejectedEvent): string {
  const [problem] = problems;
  const text = [problem?.path, problem?.message].filter((part) => part !== "" && part !== undefined).join(": ");
  return `${event.external_id ?? "unknown"} (${text})`;
}

/** Calls a user's function, if there is one. If it throws, or its promise rejects, a warning is logged. */
export async function callSafely(log: Log, name: string, call: () => unknown): Promise<void> {
  try {
    await call();
  } catch (error) {
    log.warn?.(`${name} failed: ${asError(error).message}`, { function: name });
  }
}
