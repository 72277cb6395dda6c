import type { Assumptions, RetryPolicy } from "../assumptions/assumptions.ts";
import { RetryTimers } from "../clock/advance.ts";
import { formatTimestamp } from "../clock/clock.ts";
import { keepProcessAlive, yieldToEventLoop } from "../clock/timers.ts";
import { reportFailure } from "../http/messages.ts";
import type { EmittedEvent, StoredWebhookEndpoint } from "../state/records.ts";
import type { State } from "../state/state.ts";
import type { DeliveryAttempt, DeliverySender } from "./send.ts";

/** The maximum number of deliveries, and of events. Pending events are kept even above it. */
const MAX_ROWS = 1_000;

/** Decides when the attempts of every event are made, and applies their results to the state. */
export class DeliveryQueue {
  /** The attempts that are due later. */
  readonly retries: RetryTimers = new RetryTimers();
  readonly #state: State;
  readonly #assumptions: Assumptions;
  readonly #sender: DeliverySender;
  readonly #turns = new EndpointTurns();
  /** Aborts when another state is loaded: the results of attempts under way no longer count. */
  #life = new AbortController();

  constructor(state: State, assumptions: Assumptions, sender: DeliverySender) {
    this.#state = state;
    this.#assumptions = assumptions;
    this.#sender = sender;
  }

  /** Attempts an event after the earlier ones of its endpoint. */
  add({ id, endpoint_id }: EmittedEvent, prepare: () => void = () => {}): void {
    const { signal } = this.#life;
    this.#turns.add(endpoint_id, async () => {
      const limit = this.#sender.startLimit(signal);
      // The caller of `emit` continues first, and everything else gets a turn between two deliveries.
      await yieldToEventLoop();
      try {
        if (signal.aborted) return;
        prepare();
        await this.#attempt(id, signal, limit.signal);
      } finally {
        limit.end();
      }
    });
  }

  /** Attempts an event again: once if its attempts are over, otherwise in a new series (G-RETRY). */
  redeliver(event: EmittedEvent): void {
    const next_attempt_at = formatTimestamp(this.#state.clock.now());
    const { attempts } = this.#assumptions.retry;
    const attempts_left = event.status === "pending" ? attempts : 1;
    const restart = (): void => {
      if (!this.#state.tables.webhookEvents.has(event.id)) return;
      this.retries.clear(event.id);
      this.#change(event.id, { status: "pending", failures: attempts - attempts_left, attempts_left, next_attempt_at });
    };
    restart();
    // Restarts again when its turn comes, because an attempt under way may settle the event before that.
    this.add(event, restart);
  }

  /** Aborts the attempts under way, and makes no further ones until it resumes. */
  stop(): void {
    this.#life.abort(new Error("The mock was reset, or its server was closed."));
    this.retries.clearAll();
  }

  /** Aborts the attempts under way, and continues with the pending events of the current state. */
  resume(): void {
    this.stop();
    this.#life = new AbortController();
    if (this.#state.clock.isManual) this.retries.pause();
    for (const event of this.#state.tables.webhookEvents.list()) {
      if (event.status !== "pending") continue;
      this.#schedule(event, Date.parse(event.next_attempt_at ?? event.created_at), this.#state.clock.now());
    }
  }

  /** Waits until no attempt is due or under way. */
  idle(): Promise<void> {
    return this.#turns.idle();
  }

  async #attempt(id: string, life: AbortSignal, limit: AbortSignal): Promise<void> {
    const { webhookEvents, webhookEndpoints } = this.#state.tables;
    const event = webhookEvents.get(id);
    if (event?.status !== "pending") return;
    const endpoint = webhookEndpoints.get(event.endpoint_id);
    if (!endpoint?.enabled) return this.#settle(id, "skipped");
    const attempt = await this.#sender.attempt(event, endpoint, limit);
    if (!life.aborted) this.#conclude(attempt, endpoint);
  }

  #conclude({ delivery, isBlocked }: DeliveryAttempt, endpoint: StoredWebhookEndpoint): void {
    const { deliveries, webhookEvents, webhookFailures } = this.#state.tables;
    deliveries.set(delivery.id, delivery);
    for (const [oldest] of deliveries.entries()) {
      if (deliveries.size <= MAX_ROWS) break;
      deliveries.delete(oldest);
    }
    const isSuccess = delivery.status === "succeeded";
    const before = webhookEvents.get(delivery.event_id) as EmittedEvent;
    const failures = before.failures + (isSuccess ? 0 : 1);
    const attempts_left = Math.max(0, this.#assumptions.retry.attempts - failures);
    const delivered = before.delivered || isSuccess;
    const event = this.#change(before.id, { attempts: delivery.attempt, delivered, failures, attempts_left });
    if (isSuccess) {
      webhookFailures.delete(endpoint.id);
      this.#settle(event.id, "succeeded");
    } else if (isBlocked) {
      this.#settle(event.id, "failed");
    } else if (event.attempts_left > 0) {
      this.#retry(event);
    } else {
      this.#settle(event.id, "failed");
      if (!delivered) this.#countFailure(event);
    }
  }

  #retry(event: EmittedEvent): void {
    const wait = waitAfter(event.failures, event.id, this.#assumptions.retry);
    const now = this.#state.clock.now();
    this.#change(event.id, { next_attempt_at: formatTimestamp(now + wait) });
    this.#schedule(event, now + wait, now);
  }

  #schedule(event: EmittedEvent, due: number, now: number): void {
    if (due <= now) this.add(event);
    else this.retries.set(event.id, due, due - now, () => this.add(event));
  }

  /** Counts an event whose attempts all failed. Disables the endpoint after several consecutive ones (G-DISABLE). */
  #countFailure({ id, endpoint_id }: EmittedEvent): void {
    const { webhookEvents, webhookFailures } = this.#state.tables;
    const { disableAfter } = this.#assumptions;
    if (disableAfter === null) return;
    const failures = new Set(webhookFailures.get(endpoint_id)).add(id);
    webhookFailures.set(endpoint_id, Object.freeze([...failures]));
    if (failures.size < disableAfter) return;
    this.#disable(endpoint_id);
    for (const event of webhookEvents.list()) {
      if (event.status === "pending" && event.endpoint_id === endpoint_id) this.#settle(event.id, "skipped");
    }
  }

  /** Disables an endpoint. The count of its failures starts again when it is enabled. */
  #disable(endpointId: string): void {
    const { webhookEndpoints, webhookFailures } = this.#state.tables;
    const endpoint = webhookEndpoints.get(endpointId);
    webhookFailures.delete(endpointId);
    if (!endpoint?.enabled) return;
    const modified_at = formatTimestamp(this.#state.clock.now());
    webhookEndpoints.set(endpointId, { ...endpoint, enabled: false, modified_at });
  }

  #settle(id: string, outcome: "succeeded" | "failed" | "skipped"): void {
    this.retries.clear(id);
    const { webhookEvents } = this.#state.tables;
    const status = webhookEvents.get(id)?.delivered ? "succeeded" : outcome;
    this.#change(id, { status, attempts_left: 0, next_attempt_at: null });
    for (const [oldest, event] of webhookEvents.entries()) {
      if (webhookEvents.size <= MAX_ROWS) break;
      if (event.status !== "pending") webhookEvents.delete(oldest);
    }
  }

  #change(id: string, changes: Partial<EmittedEvent>): EmittedEvent {
    const { webhookEvents } = this.#state.tables;
    const event = { ...(webhookEvents.get(id) as EmittedEvent), ...changes };
    webhookEvents.set(id, event);
    return event;
  }
}

/**
 * Returns the delay before the next attempt in milliseconds. The jitter comes from digits of the event's random id, others for
 * each attempt, so the same seed gives the same delays whatever else is delivered meanwhile.
 *
 * @param failed The number of failed attempts since the event was created or redelivered.
 */
function waitAfter(failed: number, eventId: string, retry: RetryPolicy): number {
  const wait = Math.min(retry.firstDelay * 2 ** (failed - 1), retry.maxDelay);
  const start = failed % 24;
  const digits = eventId.replaceAll("-", "").slice(start, start + 8);
  return Math.round(wait * (1 - retry.jitter * (Number.parseInt(digits, 16) / 2 ** 32)));
}

/** Runs the tasks of each endpoint one after another, and those of different endpoints at the same time. */
class EndpointTurns {
  /** The last task of each endpoint with tasks that have not finished. */
  readonly #last = new Map<string, Promise<void>>();

  add(endpointId: string, task: () => Promise<void>): void {
    // The first task starts within this call, so that tests with fake timers need not wait longer for it.
    const earlier = this.#last.get(endpointId);
    const last = (earlier ? earlier.then(task) : task())
      .catch((error: unknown) => reportFailure("to process a webhook delivery.", error))
      .then(() => {
        if (this.#last.get(endpointId) === last) this.#last.delete(endpointId);
      });
    this.#last.set(endpointId, last);
  }

  /** Waits until no task is left. */
  async idle(): Promise<void> {
    const letProcessEnd = keepProcessAlive();
    while (this.#last.size > 0) await Promise.all(this.#last.values());
    letProcessEnd();
  }
}
