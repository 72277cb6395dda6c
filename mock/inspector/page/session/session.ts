import { type ControlCall, ControlError, controlCall } from "../../../control/client.ts";
import { loadMockData, type MockData } from "./mock-data.ts";

/** Props of every panel. */
export interface PanelProps {
  readonly data: MockData;
  readonly session: Session;
}

/** The state of the connection to the server. */
export type ConnectionStatus =
  | { readonly state: "connecting" | "live" | "disconnected" }
  /** The server requires a password; `wrong` after one that it rejected. */
  | { readonly state: "locked"; readonly wrong: boolean }
  | { readonly state: "rejected"; readonly detail: string };

/** A message to show for a moment and to announce to screen readers. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
}

/** The state of the whole page. */
export interface SessionState {
  readonly connection: ConnectionStatus;
  readonly data: Partial<MockData>;
  readonly notice: Notice | undefined;
}

/** Props of the page. */
export interface PageProps extends SessionState {
  readonly session: Session;
}

/** The maximum time for which the server holds a request for changes, in milliseconds. */
const WAIT = 20_000;
const RETRY_EVERY = 1000;
const MIN_PAUSE = 150;

/** Keeps the page up to date with the server, and performs the user's actions. */
export class Session {
  #state: SessionState = { connection: { state: "connecting" }, data: {}, notice: undefined };
  #revision: string | undefined;
  #unlock: (() => void) | undefined;
  readonly #show: (state: SessionState) => void;

  /** @param show Called with the state of the page at first, and whenever it changes. */
  constructor(show: (state: SessionState) => void) {
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
  unlock(text: string): void {
    sessionStorage.setItem(PASSWORD_KEY, text);
    this.#unlock?.();
  }

  /** Calls the control API and shows the outcome: what `done` says, or the error. */
  async act<Result>(
    call: (api: ControlCall) => Promise<Result>,
    done: string | ((result: Result) => string),
  ): Promise<void> {
    try {
      const result = await call(this.api);
      this.notify(typeof done === "string" ? done : done(result));
    } catch (error) {
      this.notify(errorMessage(error), true);
    }
  }

  /** The control API. Calls to it do not show their outcome. */
  readonly api: ControlCall = (key, request) => {
    const password = sessionStorage.getItem(PASSWORD_KEY) ?? undefined;
    return controlCall({ url: "", password })(key, request);
  };

  notify(text: string, isError = false): void {
    this.#update({ notice: { id: performance.now(), text, isError } });
  }

  /** Reads what changed once. Returns how long to pause before the next time, longer after much data. */
  async #poll(): Promise<number> {
    const { connection } = this.#state;
    const wait = this.#revision !== undefined && connection.state === "live" ? WAIT : undefined;
    const { revision } = await this.api("GET /changes", { query: { since: this.#revision, wait } });
    const started = performance.now();
    const known = this.#revision === undefined ? {} : this.#state.data;
    const loaded = revision === this.#revision ? known : { ...(await loadMockData(this.api, known)), revision };
    this.#revision = revision;
    this.#update({ data: loaded, connection: connection.state === "live" ? connection : { state: "live" } });
    if (connection.state === "disconnected") this.notify("Reconnected to the mock server.");
    return Math.max(MIN_PAUSE, 4 * (performance.now() - started));
  }

  async #fail(error: unknown): Promise<number> {
    this.#revision = undefined;
    if (error instanceof ControlError && error.status === 401) return this.#lock();
    const rejected = error instanceof ControlError;
    this.#update({
      connection: rejected ? { state: "rejected", detail: error.message } : { state: "disconnected" },
    });
    return RETRY_EVERY;
  }

  /** Hides all data until the user enters a password. */
  async #lock(): Promise<number> {
    const connection = { state: "locked", wrong: sessionStorage.getItem(PASSWORD_KEY) !== null } as const;
    sessionStorage.removeItem(PASSWORD_KEY);
    const unlocked = new Promise<void>((resolve) => {
      this.#unlock = resolve;
    });
    this.#update({ connection, data: {} });
    await unlocked;
    return 0;
  }

  #update(changes: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...changes };
    this.#show(this.#state);
  }
}

/** Returns the message to show for a failed call. */
export function errorMessage(error: unknown): string {
  return error instanceof TypeError ? "Cannot reach the mock server." : String((error as Error).message);
}

/** Where the password of the control API is stored until the browser tab is closed. */
const PASSWORD_KEY = "billing-service password";
