/**
 * The mock for tests in Node, based on MSW: it intercepts the requests of the process to the service's addresses, whichever
 * HTTP client sends them.
 *
 * @module mock/node
 */
import { createEngine } from "./api/engine.ts";
import type { ContractOptions, Mock, MockOptions } from "./api/mock.ts";
import type { MockNames, PackagedNames } from "./generated/names.ts";
import { interceptProcess } from "./msw/intercept-process.ts";
import { createMswHandlers, type MswHandler } from "./msw/msw-handlers.ts";

/** A mock that can intercept the requests of this process. */
export interface NodeMock<Names extends MockNames = PackagedNames> extends Mock<Names> {
  /** Request handlers for tests that have their own MSW server: `server.use(...mock.handlers)`. */
  readonly handlers: readonly MswHandler[];
  /**
   * Starts to intercept requests to the mock's base URLs. All other requests pass through.
   *
   * @throws TypeError while another MSW server listens: pass it the `handlers` instead.
   */
  listen(): void;
  /** Stops intercepting requests. */
  close(): void;
}

/**
 * Creates a mock of the service for Node.
 *
 * @example
 * ```ts
 * import { createMock } from "@billing-service/sdk/mock/node";
 *
 * const mock = createMock();
 * beforeAll(() => mock.listen());
 * afterEach(() => mock.reset());
 * afterAll(() => mock.close());
 * ```
 * @throws TypeError when an option is unknown or invalid.
 */
export function createMock(options: ContractOptions): NodeMock<MockNames>;
export function createMock(options?: MockOptions): NodeMock;
export function createMock(options: MockOptions = {}): NodeMock<MockNames> {
  const engine = createEngine(options);
  const handlers = createMswHandlers(engine, "process");
  let stop: (() => void) | undefined;
  return Object.assign(engine.mock, {
    handlers,
    listen: () => {
      stop = interceptProcess(handlers);
      engine.mock.checkpoint();
    },
    close: () => {
      stop?.();
      stop = undefined;
      engine.handler.endLife();
    },
  });
}

export * from "./index.ts";
export type { MswHandler };
