import { timestamp } from "../state/clock.ts";
import type { WebhookEndpoint } from "../state/records.ts";
import type { State } from "../state/state.ts";
import type { Attempt, Courier } from "./courier.ts";
import { disable, noteFailure } from "./disable.ts";
import { receives } from "./due.ts";
import { Forgetting } from "./forget.ts";
import { Lanes } from "./lanes.ts";
import { waitAfter } from "./retry.ts";
import { Timers } from "./timers.ts";
import type { WebhookPolicy } from "./webhook-policy.ts";
import type { Delivery, EmittedEvent } from "./webhooks.ts";

/** Decides when which event is attempted, and what follows from each attempt. */
export class Dispatcher {
  readonly #state: State;
  readonly #assumptions: WebhookPolicy;
  readonly #courier: Courier;
  readonly #lanes = new Lanes();
  readonly #retries = new Timers();
  readonly #events: Forgetting<EmittedEvent>;
  readonly #deliveries: Forgetting<Delivery>;
  /** Ends when another state is loaded: what was under way then no longer counts. */
  #life = new AbortController();

  constructor(state: State, assumptions: WebhookPolicy, courier: Courier) {
    this.#state = state;
    this.#assumptions = assumptions;
    this.#courier = courier;
    this.#events = new Forgetting(state.tables.webhookEvents, ({ status }) => status === "pending");
    this.#deliveries = new Forgetting(state.tables.deliveries);
  }

  /** Attempts an event as soon as its endpoint is free. */
  queue({ id, endpoint_id }: EmittedEvent, prepare: () => void = () => {}): void {
    const { signal } = this.#life;
    this.#lanes.add(endpoint_id, async () => {
      if (signal.aborted) return;
      prepare();
      await this.#attempt(id, signal);
    });
  }

  /** Begins a new series of attempts of an event. */
  redeliver(event: EmittedEvent): void {
    const begin = (): void => {
      if (!this.#state.tables.webhookEvents.has(event.id)) return;
      this.#retries.clear(event.id);
      const { attempts } = this.#assumptions.retry;
      this.#change(event.id, { status: "pending", attempts_left: attempts, next_attempt_at: this.#now() });
    };
    begin();
    // Once more when its turn comes: an attempt that is under way may settle the event before that.
    this.queue(event, begin);
  }

  /** Ends what is under way, and goes on with the events of the state as it is now. */
  resume(): void {
    this.#life.abort(new Error("The mock went back to another state."));
    this.#life = new AbortController();
    this.#retries.clearAll();
    const pending = this.#state.tables.webhookEvents.list().filter(({ status }) => status === "pending");
    for (const event of pending) {
      const wait = Date.parse(event.next_attempt_at ?? this.#now()) - this.#state.clock();
      this.#schedule(event, wait);
    }
  }

  /** Waits until nothing is under way. */
  idle(): Promise<void> {
    return this.#lanes.idle();
  }

  async #attempt(id: string, signal: AbortSignal): Promise<void> {
    const { webhookEvents, webhookEndpoints } = this.#state.tables;
    const event = webhookEvents.get(id);
    if (event?.status !== "pending") return;
    const endpoint = webhookEndpoints.get(event.endpoint_id);
    if (!endpoint || !receives(endpoint, event.api_version, this.#state, this.#assumptions)) {
      return this.#settle(event.id, "skipped");
    }
    const attempt = await this.#courier.attempt(event, endpoint, signal);
    if (!signal.aborted) this.#conclude(attempt, endpoint);
  }

  #conclude({ delivery, refused }: Attempt, endpoint: WebhookEndpoint): void {
    const { deliveries, webhookEvents, webhookFailures } = this.#state.tables;
    deliveries.set(delivery.id, delivery);
    this.#deliveries.sweep();
    const { attempts_left } = webhookEvents.get(delivery.event_id) as EmittedEvent;
    const event = this.#change(delivery.event_id, { attempts: delivery.attempt, attempts_left: attempts_left - 1 });
    if (delivery.status === "succeeded") {
      webhookFailures.delete(endpoint.id);
      this.#settle(event.id, "succeeded");
    } else if (refused) {
      this.#settle(event.id, "failed");
    } else if (event.attempts_left > 0) {
      this.#retry(event);
    } else {
      this.#settle(event.id, "failed");
      this.#fail(event);
    }
  }

  #retry(event: EmittedEvent): void {
    const failed = this.#assumptions.retry.attempts - event.attempts_left;
    const wait = waitAfter(failed, event, this.#assumptions);
    this.#change(event.id, { next_attempt_at: timestamp(this.#state.clock() + wait) });
    this.#schedule(event, wait);
  }

  /** An event is given up; after several in a row, so is its endpoint (G-DISABLE). */
  #fail({ id, endpoint_id }: EmittedEvent): void {
    const { disableAfter } = this.#assumptions;
    if (disableAfter === Number.POSITIVE_INFINITY) return;
    if (noteFailure(id, endpoint_id, this.#state) < disableAfter) return;
    disable(endpoint_id, this.#state);
    const { webhookEvents } = this.#state.tables;
    for (const event of webhookEvents.list()) {
      if (event.endpoint_id === endpoint_id && event.status === "pending") this.#settle(event.id, "skipped");
    }
  }

  #schedule(event: EmittedEvent, wait: number): void {
    if (wait <= 0) this.queue(event);
    else this.#retries.set(event.id, wait, () => this.queue(event));
  }

  #settle(id: string, status: "succeeded" | "failed" | "skipped"): void {
    this.#retries.clear(id);
    this.#change(id, { status, attempts_left: 0, next_attempt_at: null });
    this.#events.sweep();
  }

  #change(id: string, changes: Partial<EmittedEvent>): EmittedEvent {
    const { webhookEvents } = this.#state.tables;
    const event = Object.freeze({ ...(webhookEvents.get(id) as EmittedEvent), ...changes });
    webhookEvents.set(id, event);
    return event;
  }

  #now(): string {
    return timestamp(this.#state.clock());
  }
}
