import { basicCredentials, type ControlCall, ControlError, controlCall, type ResultOf } from "../../control/client.ts";
import type { ControlRoute } from "../../control/route.ts";
import type { RecordedRequest } from "../../journal/requests.ts";
import type { Place } from "./place.ts";

/** The lists that the page reads whenever the mock changes, by the name of the result. */
const LISTS = {
  tokens: "GET /tokens",
  versions: "GET /versions",
  endpoints: "GET /webhook-endpoints",
  webhookEvents: "GET /webhooks/events",
  deliveries: "GET /webhooks/deliveries",
} as const;

type Lists = { readonly [Name in keyof typeof LISTS]: ResultOf<(typeof LISTS)[Name]> };

/** One route of the control API, as `GET /__mock` lists it. */
export interface ListedRoute extends Pick<ControlRoute, "summary" | "query" | "body" | "example"> {
  readonly method: string;
  readonly path: string;
}

/** What the page knows about the mock. */
export interface MockData extends Lists {
  readonly routes: readonly ListedRoute[];
  /** The newest requests, oldest first. */
  readonly requests: readonly RecordedRequest[];
}

/** The state of the connection to the server. */
export type Connection =
  | { readonly state: "connecting" | "live" | "disconnected" }
  /** The server requires a password; `isWrong` after one that it rejected. */
  | { readonly state: "locked"; readonly isWrong: boolean }
  | { readonly state: "rejected"; readonly detail: string };

/** What the page shows. Without `data`, nothing was read yet, or the page is locked. */
export interface PageState {
  readonly connection: Connection;
  readonly data?: MockData | undefined;
}

/** Props of every panel. */
export interface PanelProps {
  readonly place: Place;
  readonly data: MockData;
  readonly session: Session;
}

/** Maximum time for which the server holds a request for changes, in milliseconds. */
const WAIT = 20_000;
const RETRY_EVERY = 1_000;
const MIN_PAUSE = 150;
/** Where the password of the control API stays until the browser tab is closed. */
const PASSWORD_KEY = "billing-service password";

/** Keeps the page up to date with the server, and sends what the user does. */
export class Session {
  #state: PageState = { connection: { state: "connecting" } };
  #revision: string | undefined;
  #unlock: (() => void) | undefined;
  readonly #show: (state: PageState) => void;

  /** @param show Called with the state of the page at first, and whenever it changes. */
  constructor(show: (state: PageState) => void) {
    this.#show = show;
  }

  /** Follows the server until the page is closed. */
  async follow(): Promise<never> {
    this.#update({});
    for (;;) {
      const pause = await this.#poll().catch((error: unknown) => this.#fail(error));
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Connects again with a password. */
  unlock(password: string): void {
    sessionStorage.setItem(PASSWORD_KEY, password);
    this.#unlock?.();
  }

  /** Whether the control API requires a password. */
  get hasPassword(): boolean {
    return sessionStorage.getItem(PASSWORD_KEY) !== null;
  }

  /** The control API, with types. */
  readonly api: ControlCall = (key, request) => {
    const password = sessionStorage.getItem(PASSWORD_KEY) ?? undefined;
    return controlCall({ url: "", password })(key, request);
  };

  /** Sends a request to the control API as it was typed, and returns what any program would receive. */
  async send(
    method: string,
    target: string,
    body?: string,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const password = sessionStorage.getItem(PASSWORD_KEY);
    const headers = { Accept: "application/json", ...(password && { Authorization: basicCredentials(password) }) };
    const response = await fetch(target, { method, headers, credentials: "omit", body: body ?? null });
    return { status: response.status, text: await response.text() };
  }

  /** Reads what changed once. Returns how long to pause before the next time, longer after much data. */
  async #poll(): Promise<number> {
    const wait = this.#revision !== undefined && this.#state.connection.state === "live" ? WAIT : undefined;
    const { revision } = await this.api("GET /changes", { query: { since: this.#revision, wait } });
    const started = performance.now();
    const known = this.#revision === undefined ? undefined : this.#state.data;
    const data = known && revision === this.#revision ? known : await this.#load(known);
    this.#revision = revision;
    this.#update({ data, connection: { state: "live" } });
    return Math.max(MIN_PAUSE, 4 * (performance.now() - started));
  }

  /** Reads every list; of the requests, only those that are new. */
  async #load(known: MockData | undefined): Promise<MockData> {
    const list = (after: string | undefined) => this.api("GET /requests", { query: { after } });
    const lists = Object.entries(LISTS).map(async ([name, route]) => [name, await this.api(route)] as const);
    const [requests, routes, ...entries] = await Promise.all([
      fetchNewRequests(known?.requests ?? [], list),
      known?.routes ?? this.#routes(),
      ...lists,
    ]);
    return { ...(Object.fromEntries(entries) as unknown as Lists), requests, routes };
  }

  async #routes(): Promise<readonly ListedRoute[]> {
    return JSON.parse((await this.send("GET", "/__mock")).text).routes;
  }

  async #fail(error: unknown): Promise<number> {
    this.#revision = undefined;
    if (error instanceof ControlError && error.status === 401) return this.#lock();
    const isRejected = error instanceof ControlError;
    this.#update({
      connection: isRejected ? { state: "rejected", detail: error.message } : { state: "disconnected" },
    });
    return RETRY_EVERY;
  }

  /** Hides all data until the user enters a password. */
  async #lock(): Promise<number> {
    const connection = { state: "locked", isWrong: this.hasPassword } as const;
    sessionStorage.removeItem(PASSWORD_KEY);
    const unlocked = new Promise<void>((resolve) => {
      this.#unlock = resolve;
    });
    this.#update({ connection, data: undefined });
    await unlocked;
    return 0;
  }

  #update(changes: Partial<PageState>): void {
    this.#state = { ...this.#state, ...changes };
    this.#show(this.#state);
  }
}

/** The number of requests that the page keeps, the same as the journal of the mock. */
const MAX_REQUESTS = 1000;

/**
 * Returns the known requests and those that came after them. Asks for the newest known request again: if it is missing,
 * the journal was cleared or has dropped it, and the known requests are discarded.
 */
export async function fetchNewRequests(
  known: readonly RecordedRequest[],
  list: (after: string | undefined) => Promise<readonly RecordedRequest[]>,
): Promise<readonly RecordedRequest[]> {
  const newest = known.at(-1);
  const found = await list(newest && String(newest.id - 1));
  const [first, ...more] = found;
  if (newest && first?.id === newest.id && first.at === newest.at) return [...known, ...more].slice(-MAX_REQUESTS);
  const isComplete = newest === undefined || (first !== undefined && first.id > newest.id);
  return isComplete ? found : list(undefined);
}
