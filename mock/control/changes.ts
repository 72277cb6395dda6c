import type { Engine } from "../engine/engine.ts";
import { sleep } from "../time/sleep.ts";

/** The changes up to a revision. */
export interface Changes {
  /** To be sent as `since` the next time, as it is. */
  readonly revision: string;
  /** The parts of the mock that have changed. */
  readonly changed: readonly string[];
}

/**
 * A value that changes with a part of the mock, and never becomes again what it once was: somebody may have read the part
 * while it was different for a moment.
 */
type Probe = (mock: Engine) => unknown;

const PROBES: Readonly<Record<string, Probe>> = {
  requests: ({ requests }) => requests.revision,
  faults: ({ faults }) => faults.revision,
  // A return to another state brings older versions back, and loads every table.
  versions: ({ versions, tables }) => `${versions.next} ${tables.users.revision}`,
  events: ({ tables }) => tables.events.revision,
  organizations: ({ tables }) => tables.organizations.revision,
  users: ({ tables }) => tables.users.revision,
  customers: ({ tables }) => tables.customers.revision,
  oauthClients: ({ tables }) => tables.oauthClients.revision,
  products: ({ tables }) => tables.products.revision,
  webhookEndpoints: ({ tables }) => tables.webhookEndpoints.revision,
  webhookEvents: ({ tables }) => tables.webhookEvents.revision,
  deliveries: ({ tables }) => tables.deliveries.revision,
};

const LOOK_EVERY = 100;
const MAX_WAIT = 30_000;

/** Tells what has changed, by looking when it is asked: a mock that nobody watches pays nothing. */
export class ChangeWatch {
  readonly #mock: Engine;
  readonly #seen = new Map<string, { value: unknown; revision: number }>();
  readonly #ending: AbortSignal | undefined;
  /** Begins every revision, so that none of another server is taken for one of this. */
  readonly #id = crypto.randomUUID();
  #revision = 0;

  constructor(mock: Engine, ending?: AbortSignal) {
    this.#mock = mock;
    this.#ending = ending;
  }

  /**
   * Returns the changes since a revision; everything when it is missing or unknown. With `wait`, it takes up to so
   * many milliseconds for something to change.
   */
  async since(since: string | undefined, wait: string | undefined, signal: AbortSignal): Promise<Changes> {
    const until = performance.now() + Math.min(Number(wait) || 0, MAX_WAIT);
    for (;;) {
      const changes = this.#look(since);
      const over = performance.now() >= until || signal.aborted || this.#ending?.aborted;
      if (over || changes.changed.length > 0) return changes;
      await sleep(LOOK_EVERY, signal).catch(() => {});
    }
  }

  #look(since: string | undefined): Changes {
    for (const [part, probe] of Object.entries(PROBES)) this.#note(part, probe(this.#mock));
    const known = this.#numberIn(since);
    const changed = [...this.#seen].filter(([, { revision }]) => revision > known).map(([part]) => part);
    return { revision: `${this.#id}.${this.#revision}`, changed };
  }

  /** Zero, where everything is news, for what is no revision of this server. */
  #numberIn(since: string | undefined): number {
    const [id, number] = since?.split(".") ?? [];
    return id === this.#id ? Number(number) || 0 : 0;
  }

  #note(part: string, value: unknown): void {
    const seen = this.#seen.get(part);
    if (seen && Object.is(seen.value, value)) return;
    this.#revision += 1;
    this.#seen.set(part, { value, revision: this.#revision });
  }
}
