/**
 * The mock for pages in a browser, based on MSW's service worker: it responds to the requests of a page to the service's
 * addresses.
 *
 * @module mock/browser
 */
import { createEngine } from "./api/engine.ts";
import type { Mock, MockOptions } from "./api/mock.ts";
import { BrowserStorage } from "./msw/browser-storage.ts";
import { interceptPage, type WorkerOptions } from "./msw/intercept-page.ts";
import { createMswHandlers, type MswHandler } from "./msw/msw-handlers.ts";
import { type FieldType, flag, requireOptions, text } from "./options/options.ts";

/** Options for `start`. All are optional. */
export interface StartOptions extends WorkerOptions {
  /**
   * Whether the state survives a reload of the page, until the tab is closed; false by default. A page with several mocks
   * gives each a name, as a string.
   */
  readonly persist?: boolean | string;
}

const START_OPTIONS: Readonly<Record<keyof StartOptions, FieldType>> = {
  persist: { name: "a boolean or a string", fits: (value) => flag.fits(value) || text.fits(value) },
  serviceWorkerUrl: text,
  quiet: flag,
};

/** A mock that can respond to the requests of its page. */
export interface BrowserMock extends Mock {
  /** Request handlers for a page that has its own MSW worker: `setupWorker(...mock.handlers)`. */
  readonly handlers: readonly MswHandler[];
  /**
   * Starts to respond to the page's requests to the mock's base URLs. All other requests pass through.
   *
   * @throws TypeError when an option is unknown or invalid, and when service workers are not available: outside a browser,
   * and on pages that are not secure.
   * @throws Error if the browser cannot load MSW's worker script.
   */
  start(options?: StartOptions): Promise<void>;
  /** Stops responding to requests. If the state survives reloads, it is saved first. */
  stop(): Promise<void>;
}

/**
 * Creates a mock of the service for the browser. The default `seed` is fixed, so that every load of the page creates the
 * same ids, tokens and secrets in the same order.
 *
 * @example
 * ```ts
 * import { createMock } from "@billing-service/sdk/mock/browser";
 *
 * const mock = createMock();
 * const accessToken = mock.issueToken();
 * await mock.start({ persist: true });
 * ```
 * @throws TypeError when an option is unknown or invalid.
 */
export function createMock(options: MockOptions = {}): BrowserMock {
  const engine = createEngine({ ...options, seed: options.seed ?? 1 });
  const handlers = createMswHandlers(engine, "page");
  const storage = new BrowserStorage(engine.mock);
  let running: Promise<() => unknown> | undefined;
  const begin = async ({ persist = false, ...worker }: StartOptions) => {
    const beginning = engine.mock.snapshot();
    if (persist !== false) storage.open(persist === true ? "default" : persist);
    const end = await interceptPage(handlers, worker);
    engine.checkpoint(beginning);
    return end;
  };
  const stop = async () => {
    const ending = running;
    running = undefined;
    storage.close();
    engine.handler.endLife();
    await (await ending)?.();
  };
  const start = async (given: StartOptions = {}) => {
    requireOptions("mock.start", given, START_OPTIONS);
    running ??= begin(given);
    try {
      await running;
    } catch (error) {
      running = undefined;
      storage.close();
      throw error;
    }
  };
  return Object.assign(engine.mock, { handlers, start, stop });
}

export * from "./index.ts";
export type { MswHandler, WorkerOptions };
