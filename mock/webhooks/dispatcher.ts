import { reportDeliveryFailure } from "../http/mock-failure.ts";
import { formatTimestamp, readClock } from "../state/clock.ts";
import type { Delivery, EmittedEvent, StoredWebhookEndpoint } from "../state/records.ts";
import type { State } from "../state/state.ts";
import type { DeliveryAttempt, DeliverySender } from "./delivery-sender.ts";
import { disableEndpoint, recordFailure } from "./disable-endpoint.ts";
import { isSubscribed } from "./is-subscribed.ts";
import { KeyedQueue } from "./keyed-queue.ts";
import { PendingEvents } from "./pending-events.ts";
import { waitAfter } from "./retry-policy.ts";
import { RetryTimers } from "./retry-timers.ts";
import { RowLimit } from "./row-limit.ts";
import type { DeliveryPolicy } from "./webhook-policy.ts";

/** Schedules the attempts of every event, and applies their results to the state. */
export class Dispatcher {
  /** The attempts that are due later. */
  readonly retries: RetryTimers = new RetryTimers();
  readonly #state: State;
  readonly #policy: DeliveryPolicy;
  readonly #sender: DeliverySender;
  readonly #queue = new KeyedQueue(reportDeliveryFailure);
  readonly #pending = new PendingEvents();
  readonly #eventLimit: RowLimit<EmittedEvent>;
  readonly #deliveryLimit: RowLimit<Delivery>;
  /** Aborts when another state is loaded: the results of attempts under way no longer count. */
  #life = new AbortController();

  constructor(state: State, policy: DeliveryPolicy, sender: DeliverySender) {
    this.#state = state;
    this.#policy = policy;
    this.#sender = sender;
    this.#eventLimit = new RowLimit(state.tables.webhookEvents, {
      sizeOf: ({ body }) => body.length,
      isNeeded: ({ status }) => status === "pending",
    });
    this.#deliveryLimit = new RowLimit(state.tables.deliveries, {
      sizeOf: ({ body, response_body }) => body.length + (response_body?.length ?? 0),
    });
  }

  /** The number of pending events. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Attempts an event after the earlier ones of its endpoint. */
  queue(event: EmittedEvent, prepare: () => void = () => {}): void {
    const { id, endpoint_id } = event;
    this.#pending.add(event);
    const { signal } = this.#life;
    this.#queue.add(endpoint_id, async () => {
      if (signal.aborted) return;
      prepare();
      await this.#attempt(id, signal);
    });
  }

  /** Attempts an event again: once if its attempts are over, otherwise in a new series (G-RETRY). */
  redeliver(event: EmittedEvent): void {
    const next_attempt_at = formatTimestamp(this.#state.clock.now());
    const attempts_left = event.status === "pending" ? this.#policy.retry.attempts : 1;
    const restart = (): void => {
      if (!this.#state.tables.webhookEvents.has(event.id)) return;
      this.retries.clear(event.id);
      this.#pending.add(event);
      this.#change(event.id, { status: "pending", attempts_left, next_attempt_at });
    };
    restart();
    // Restarts again when its turn comes, because an attempt under way may settle the event before that.
    this.queue(event, restart);
  }

  /** Aborts the attempts under way, and continues with the pending events of the current state. */
  resume(): void {
    this.#life.abort(new Error("The mock was reset or restored."));
    this.#life = new AbortController();
    this.retries.clearAll();
    if (this.#state.clock.isManual) this.retries.pause();
    this.#pending.clear();
    const pending = this.#state.tables.webhookEvents.list().filter(({ status }) => status === "pending");
    for (const event of pending) {
      this.#pending.add(event);
      const due = event.next_attempt_at ?? event.created_at;
      this.#schedule(event, Date.parse(due), readClock(this.#state.clock, due).at);
    }
  }

  /** Waits until no attempt is due or under way. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  async #attempt(id: string, signal: AbortSignal): Promise<void> {
    const { webhookEvents, webhookEndpoints } = this.#state.tables;
    const event = webhookEvents.get(id);
    if (event?.status !== "pending") return;
    const endpoint = webhookEndpoints.get(event.endpoint_id);
    if (!endpoint || !isSubscribed(endpoint, event.api_version, this.#state, this.#policy)) {
      return this.#settle(event.id, "skipped");
    }
    const attempt = await this.#sender.attempt(event, endpoint, signal);
    if (!signal.aborted) this.#conclude(attempt, endpoint);
  }

  #conclude({ delivery, isBlocked }: DeliveryAttempt, endpoint: StoredWebhookEndpoint): void {
    const { deliveries, webhookEvents, webhookFailures } = this.#state.tables;
    deliveries.set(delivery.id, delivery);
    this.#deliveryLimit.evictOldest(delivery);
    const { attempts_left } = webhookEvents.get(delivery.event_id) as EmittedEvent;
    const event = this.#change(delivery.event_id, { attempts: delivery.attempt, attempts_left: attempts_left - 1 });
    if (delivery.status === "succeeded") {
      webhookFailures.delete(endpoint.id);
      this.#settle(event.id, "succeeded");
    } else if (isBlocked) {
      this.#settle(event.id, "failed");
    } else if (event.attempts_left > 0) {
      this.#retry(event, delivery.at);
    } else {
      this.#settle(event.id, "failed");
      this.#fail(event);
    }
  }

  #retry(event: EmittedEvent, attemptedAt: string): void {
    const failed = this.#policy.retry.attempts - event.attempts_left;
    const wait = waitAfter(failed, event.id, this.#policy.retry);
    const now = readClock(this.#state.clock, attemptedAt).at;
    this.#change(event.id, { next_attempt_at: formatTimestamp(now + wait) });
    this.#schedule(event, now + wait, now);
  }

  /** Counts a failed event. Disables the endpoint after several consecutive ones (G-DISABLE). */
  #fail({ id, endpoint_id }: EmittedEvent): void {
    const { disableAfter } = this.#policy;
    if (disableAfter === Number.POSITIVE_INFINITY) return;
    if (recordFailure(id, endpoint_id, this.#state) < disableAfter) return;
    disableEndpoint(endpoint_id, this.#state);
    for (const pending of this.#pending.of(endpoint_id)) this.#settle(pending, "skipped");
  }

  #schedule(event: EmittedEvent, due: number, now: number): void {
    if (due <= now) this.queue(event);
    else this.retries.set(event.id, due, due - now, () => this.queue(event));
  }

  #settle(id: string, status: "succeeded" | "failed" | "skipped"): void {
    this.retries.clear(id);
    const event = this.#change(id, { status, attempts_left: 0, next_attempt_at: null });
    this.#pending.delete(event);
    this.#eventLimit.evictOldest(event);
  }

  #change(id: string, changes: Partial<EmittedEvent>): EmittedEvent {
    const { webhookEvents } = this.#state.tables;
    const event = { ...(webhookEvents.get(id) as EmittedEvent), ...changes };
    webhookEvents.set(id, event);
    return event;
  }
}
