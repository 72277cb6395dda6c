import type { EmittedEvent } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { atOnce, inSlices, type Work } from "../time/in-slices.ts";
import { prepareEvents, storeEvents } from "./create-events.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { EmitOptions } from "./emit-options.ts";
import type { DeliveryPolicy } from "./webhook-policy.ts";

/** The number of times that events are prepared in slices before they are prepared without a break. */
const ATTEMPTS = 3;

/** Creates webhook events and starts to deliver them. */
export class Emitter {
  readonly #state: State;
  readonly #policy: DeliveryPolicy;
  readonly #dispatcher: Dispatcher;

  constructor(state: State, policy: DeliveryPolicy, dispatcher: Dispatcher) {
    this.#state = state;
    this.#policy = policy;
    this.#dispatcher = dispatcher;
  }

  emit(type: string, data: unknown, options: EmitOptions = {}): readonly EmittedEvent[] {
    return this.#start(() => atOnce(this.#prepare(type, data, options)));
  }

  /** Emits an event, and lets other requests be answered while it is created for thousands of endpoints. */
  async emitInSlices(type: string, data: unknown, options: EmitOptions = {}): Promise<readonly EmittedEvent[]> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = this.#basis();
      const rows = await inSlices(this.#prepare(type, data, options));
      const after = this.#basis();
      if (before.every((value, index) => value === after[index])) return this.#start(() => rows);
    }
    return this.emit(type, data, options);
  }

  #prepare(type: string, data: unknown, options: EmitOptions): Work<Map<string, EmittedEvent>> {
    return prepareEvents(this.#state, this.#policy, type, data, options, this.#dispatcher.pending);
  }

  #start(prepare: () => Map<string, EmittedEvent>): readonly EmittedEvent[] {
    const state = this.#state;
    const events = state.transact(() => storeEvents(state, prepare(), this.#dispatcher.pending));
    for (const event of events) this.#dispatcher.queue(event);
    return events;
  }

  /** Returns what prepared events are based on: endpoints, organizations and versions. All change when a state is loaded. */
  #basis(): readonly unknown[] {
    const { tables, ownersRevision, versions } = this.#state;
    return [tables.webhookEndpoints.revision, ownersRevision, versions];
  }
}
