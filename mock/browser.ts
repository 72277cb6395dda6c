/**
 * The mock for pages in a browser, based on MSW's service worker: it responds to the requests of a page to the service's
 * addresses.
 *
 * @module mock/browser
 */
import { createEngine } from "./api/engine.ts";
import type { ContractOptions, Mock, MockOptions } from "./api/mock.ts";
import type { MockNames, PackagedNames } from "./generated/names.ts";
import { interceptPage, type StartOptions } from "./msw/intercept-page.ts";
import { createMswHandlers, type MswHandler } from "./msw/msw-handlers.ts";
import { type FieldType, flag, requireOptions, text } from "./options/options.ts";

const START_OPTIONS: Readonly<Record<keyof StartOptions, FieldType>> = { serviceWorkerUrl: text, quiet: flag };

/** A mock that can respond to the requests of its page. */
export interface BrowserMock<Names extends MockNames = PackagedNames> extends Mock<Names> {
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
  /** Stops responding to requests. */
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
 * await mock.start();
 * ```
 * @throws TypeError when an option is unknown or invalid.
 */
export function createMock(options: ContractOptions): BrowserMock<MockNames>;
export function createMock(options?: MockOptions): BrowserMock;
export function createMock(options: MockOptions = {}): BrowserMock<MockNames> {
  const engine = createEngine({ ...options, seed: options.seed ?? 1 });
  const handlers = createMswHandlers(engine, "page");
  let running: Promise<() => void> | undefined;
  const begin = async (options: StartOptions) => {
    engine.mock.checkpoint();
    return interceptPage(handlers, options);
  };
  const stop = async () => {
    const ending = running;
    running = undefined;
    engine.handler.endLife();
    (await ending)?.();
  };
  const start = async (options: StartOptions = {}) => {
    requireOptions("mock.start", options, START_OPTIONS);
    running ??= begin(options);
    try {
      await running;
    } catch (error) {
      running = undefined;
      throw error;
    }
  };
  return Object.assign(engine.mock, { handlers, start, stop });
}

export * from "./index.ts";
export type { MswHandler, StartOptions };
