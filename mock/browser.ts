/**
 * The mock for pages in a browser, based on MSW's service worker: it responds to the requests of a page to the service's
 * addresses.
 *
 * @module mock/browser
 */
import { createEngine } from "./api/engine.ts";
import type { ContractOptions, Mock, MockOptions } from "./api/mock.ts";
import type { MockNames, PackagedNames } from "./generated/names.ts";
import { createMswHandlers, type MswHandler, passThrough } from "./msw-handlers.ts";
import { type FieldType, flag, requireOptions, text } from "./options/options.ts";

/** Options for `start`. All are optional. */
export interface StartOptions {
  /** URL of the script that `npx msw init` writes. Defaults to `/mockServiceWorker.js`. */
  readonly serviceWorkerUrl?: string;
  /** Whether MSW logs nothing to the console. Defaults to true. */
  readonly quiet?: boolean;
}

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

/** Intercepts the requests of this page, and returns a function that stops it. */
async function interceptPage(handlers: readonly MswHandler[], options: StartOptions): Promise<() => void> {
  const { serviceWorkerUrl: url = "/mockServiceWorker.js", quiet = true } = options;
  if (!("serviceWorker" in navigator)) {
    throw new TypeError(
      "mock.start: service workers are not available. They need a browser, and a page on https: or localhost.",
    );
  }
  // Imported here, so that the module can be loaded where a page is rendered on a server.
  const { setupWorker } = await import("msw/browser");
  const worker = setupWorker(...handlers);
  await worker.start({ ...passThrough, quiet, serviceWorker: { url } }).catch((cause: unknown) => {
    const fix = 'Run "npx msw init public/ --save" with the folder that your web server serves.';
    throw new Error(`mock.start: the browser cannot load MSW's worker script ${url}. ${fix}`, { cause });
  });
  return () => worker.stop();
}

export * from "./index.ts";
export type { MswHandler };
