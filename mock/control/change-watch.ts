import type { Engine } from "../engine/engine.ts";
import { sleep } from "../time/timers.ts";
import type { Changes } from "./routes/changes.ts";

/**
 * Returns a value that changes whenever a part of the mock changes, and that never returns to an earlier value: a caller
 * may have read the part in between.
 */
type Probe = (mock: Engine) => unknown;

const PROBES: Readonly<Record<string, Probe>> = {
  requests: ({ requests }) => requests.revision,
  faults: ({ faults }) => faults.revision,
  // Restoring a state can bring back older versions; it also loads every table.
  versions: ({ versions, tables }) => `${versions.next} ${tables.users.revision}`,
  clock: ({ clock }) => clock.revision,
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

/** Reports which parts of a mock changed. It compares when it is asked, so a mock without watchers pays nothing. */
export class ChangeWatch {
  readonly #mock: Engine;
  readonly #seen = new Map<string, { value: unknown; revision: number }>();
  readonly #ending: AbortSignal | undefined;
  /** The start of every revision, which distinguishes the revisions of this server from those of others. */
  readonly #id = crypto.randomUUID();
  #revision = 0;

  constructor(mock: Engine, ending?: AbortSignal) {
    this.#mock = mock;
    this.#ending = ending;
  }

  /**
   * Returns what changed since a revision; everything when the revision is missing or unknown. With `wait`, it waits up to
   * that number of milliseconds for a change.
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

  /** Returns the number in a revision; 0, before every change, for an unknown one. */
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
