import { Api, type Method, Refusal } from "../api.ts";
import { type Data, load } from "../data.ts";
import { Store } from "./store.ts";

/** How the page stands with the server. */
export type ConnectionStatus =
  | { readonly state: "connecting" | "live" | "paused" | "gone" }
  /** The server wants a password; `wrong` after one that it did not take. */
  | { readonly state: "locked"; readonly wrong: boolean }
  | { readonly state: "refused"; readonly detail: string };

/** Something that happened, to be said aloud and shown for a moment. */
export interface Notice {
  readonly text: string;
  readonly bad: boolean;
}

/** What the whole page knows. */
export interface SessionState {
  readonly link: ConnectionStatus;
  readonly data: Partial<Data>;
  readonly notice: Notice | undefined;
}

interface Changes {
  readonly revision: string;
  readonly changed: readonly string[];
}

const WAIT = 20_000;
const RETRY_EVERY = 1000;
const LEAST_PAUSE = 150;

/** The page's conversation with the server: it follows what changes, and carries out what the user asks for. */
export class Session {
  readonly store: Store<SessionState> = new Store<SessionState>({
    link: { state: "connecting" },
    data: {},
    notice: undefined,
  });
  readonly #api = new Api();
  #revision: string | undefined;
  #unlock: (() => void) | undefined;

  /** Follows the server until the page is closed. */
  async follow(): Promise<never> {
    for (;;) {
      await this.#visible();
      const hiding = new AbortController();
      const stop = onHidden(() => hiding.abort());
      const pause = await this.#round(hiding.signal).catch((error: unknown) => this.#fail(error, hiding.signal));
      stop();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Tries a password. */
  enter(password: string): void {
    this.#api.password = password;
    this.#unlock?.();
  }

  /** Makes a call for the user; says what came of it, and gives undefined where it failed. */
  async act<Result>(method: Method, path: string, body: unknown, done: string): Promise<Result | undefined> {
    try {
      const result = await this.call<Result>(method, path, body);
      this.say(done);
      return result;
    } catch (error) {
      this.say(errorMessage(error), true);
      return undefined;
    }
  }

  /** Makes a call, and leaves it to the caller what to say. */
  call<Result>(method: Method, path: string, body?: unknown): Promise<Result> {
    return this.#api.call<Result>(method, path, body);
  }

  say(text: string, bad = false): void {
    this.store.change({ notice: { text, bad } });
  }

  /** One look at the server; gives how long to pause after it, longer where there was much to read. */
  async #round(signal: AbortSignal): Promise<number> {
    const { link } = this.store.state;
    const wait = link.state === "live" ? `&wait=${WAIT}` : "";
    const query = this.#revision === undefined ? "" : `?since=${this.#revision}${wait}`;
    const { revision, changed } = await this.#api.call<Changes>("GET", `/changes${query}`, undefined, signal);
    const started = performance.now();
    const { data } = this.store.state;
    const known = this.#revision === undefined ? {} : data;
    const loaded = changed.length > 0 ? await load(changed, this.#api, known, signal) : known;
    this.#revision = revision;
    this.store.change({ data: loaded, link: link.state === "live" ? link : { state: "live" } });
    if (link.state === "gone") this.say("The server is back.");
    return Math.max(LEAST_PAUSE, 4 * (performance.now() - started));
  }

  async #fail(error: unknown, hidden: AbortSignal): Promise<number> {
    if (hidden.aborted) return 0;
    this.#revision = undefined;
    if (error instanceof Refusal && error.status === 401) return this.#locked();
    const refused = error instanceof Refusal;
    this.store.change({ link: refused ? { state: "refused", detail: error.message } : { state: "gone" } });
    return RETRY_EVERY;
  }

  /** Shows nothing any more until a password is entered. */
  async #locked(): Promise<number> {
    const link = { state: "locked", wrong: this.#api.hasPassword } as const;
    this.#api.forgetPassword();
    const entered = new Promise<void>((resolve) => {
      this.#unlock = resolve;
    });
    this.store.change({ link, data: {} });
    await entered;
    return 0;
  }

  /** Waits while nobody can see the page. */
  async #visible(): Promise<void> {
    if (!document.hidden) return;
    const { link } = this.store.state;
    if (link.state === "live") this.store.change({ link: { state: "paused" } });
    await new Promise<void>((resolve) => {
      const stop = onVisibility(() => {
        if (document.hidden) return;
        stop();
        resolve();
      });
    });
  }
}

/** What an error says to people. */
export function errorMessage(error: unknown): string {
  return error instanceof TypeError ? "The server does not answer." : String((error as Error).message);
}

function onHidden(act: () => void): () => void {
  return onVisibility(() => document.hidden && act());
}

function onVisibility(act: () => void): () => void {
  document.addEventListener("visibilitychange", act);
  return () => document.removeEventListener("visibilitychange", act);
}
