/**
 * The mock for pages in a browser, on MSW's service worker: it answers what a page sends to the service's addresses.
 *
 * @module mock/browser
 */
import { http } from "msw";
import { createCore } from "./api/core.ts";
import type { Mock, MockOptions } from "./api/mock.ts";
import { BrowserStorage } from "./msw/browser-storage.ts";
import { handlersOf, type MswHandler } from "./msw/handlers.ts";
import { intercept, type WorkerOptions } from "./msw/intercept-browser.ts";

/** How a mock begins to answer a page. */
export interface StartOptions extends WorkerOptions {
  /**
   * Keeps the state over a reload, for as long as the tab lives; false by default. A text is the name to keep it under,
   * where a page has several mocks.
   */
  readonly persist?: boolean | string;
}

/** A mock that can answer the requests of the page it lives in. */
export interface BrowserMock extends Mock {
  /** Handlers for a page that has an MSW worker of its own: `worker.use(...mock.handlers)`. */
  readonly handlers: readonly MswHandler[];
  /**
   * Begins to answer the page's requests to the mock's base addresses. Every other request passes through.
   *
   * @throws TypeError where there are no service workers: outside of a browser, and on pages that are not secure.
   */
  start(options?: StartOptions): Promise<void>;
  /** Ends it. A state that is kept over reloads is saved once more. */
  stop(): Promise<void>;
}

/**
 * Makes a mock of the service for the browser. Unless another `seed` is given, it makes the same ids, tokens and secrets
 * in the same order on every load of the page.
 *
 * @example
 * ```ts
 * const mock = createMock();
 * const accessToken = mock.issueToken();
 * await mock.start({ persist: true });
 * ```
 * @throws TypeError when an option cannot be used.
 */
export function createMock(options: MockOptions = {}): BrowserMock {
  const core = createCore({ seed: 1, ...options });
  const handlers = handlersOf(core, http);
  const storage = new BrowserStorage(core);
  let running: Promise<() => unknown> | undefined;
  const begin = ({ persist = false, ...worker }: StartOptions) => {
    core.keep();
    if (persist !== false) storage.open(persist === true ? "default" : persist);
    return intercept(handlers, worker);
  };
  const stop = async () => {
    const ending = running;
    running = undefined;
    storage.close();
    await (await ending)?.();
  };
  const start = async (given: StartOptions = {}) => {
    running ??= begin(given);
    try {
      await running;
    } catch (error) {
      running = undefined;
      storage.close();
      throw error;
    }
  };
  return Object.assign(core, { handlers, start, stop });
}

export * from "./index.ts";
export type { MswHandler, WorkerOptions };
