import type { Mock } from "../mock.ts";

/** What has changed up to a revision. */
export interface Changes {
  /** To be sent as `since` the next time. */
  readonly revision: number;
  /** The parts of the mock that have changed. */
  readonly changed: readonly string[];
}

/** A value that differs from the one before exactly when a part of the mock has changed. */
type Probe = (mock: Mock) => unknown;

const PROBES: Readonly<Record<string, Probe>> = {
  requests: ({ requests }) => `${requests.count} ${requests.last()?.id}`,
  faults: ({ faults }) =>
    faults
      .list()
      .map(({ id, struck }) => `${id} ${struck}`)
      .join(),
  versions: ({ versions }) => versions.next,
  events: ({ events }) => events.size,
  // A table makes a new list after every write.
  organizations: ({ organizations }) => organizations.list(),
  users: ({ users }) => users.list(),
  customers: ({ customers }) => customers.list(),
  oauthClients: ({ oauthClients }) => oauthClients.list(),
  products: ({ products }) => products.list(),
  webhookEndpoints: ({ webhookEndpoints }) => webhookEndpoints.list(),
  webhookEvents: ({ webhooks }) => webhooks.events.list(),
  deliveries: ({ webhooks }) => webhooks.deliveries.list(),
};

const LOOK_EVERY = 100;
const MAX_WAIT = 30_000;

/** Tells what has changed, by looking when it is asked: a mock that nobody watches pays nothing. */
export class ChangeWatch {
  readonly #mock: Mock;
  readonly #seen = new Map<string, { value: unknown; revision: number }>();
  readonly #ending: AbortSignal | undefined;
  /** Begins with the time, so that no revision of a server that ran before is taken for one of this. */
  #revision = Date.now();

  constructor(mock: Mock, ending?: AbortSignal) {
    this.#mock = mock;
    this.#ending = ending;
  }

  /**
   * What has changed since a revision; everything when none is given or it is unknown. With `wait`, it takes up to so
   * many milliseconds for something to change.
   */
  async since(since: string | undefined, wait: string | undefined, signal: AbortSignal): Promise<Changes> {
    const until = performance.now() + Math.min(Number(wait) || 0, MAX_WAIT);
    for (;;) {
      const changes = this.#look(since);
      const over = performance.now() >= until || signal.aborted || this.#ending?.aborted;
      if (over || changes.changed.length > 0) return changes;
      await pause(LOOK_EVERY, signal);
    }
  }

  #look(since: string | undefined): Changes {
    for (const [part, probe] of Object.entries(PROBES)) this.#note(part, probe(this.#mock));
    const asked = Number(since);
    const known = since !== undefined && asked <= this.#revision ? asked : -1;
    const changed = [...this.#seen].filter(([, { revision }]) => revision > known).map(([part]) => part);
    return { revision: this.#revision, changed };
  }

  #note(part: string, value: unknown): void {
    const seen = this.#seen.get(part);
    if (seen && Object.is(seen.value, value)) return;
    this.#revision += 1;
    this.#seen.set(part, { value, revision: this.#revision });
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end, { once: true });
  });
}
