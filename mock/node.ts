/**
 * The mock for test suites in Node, on MSW: it answers what a program sends to the service's addresses, through any HTTP
 * client.
 *
 * @module mock/node
 */
import { createCore } from "./api/core.ts";
import type { Mock, MockOptions } from "./api/mock.ts";
import { handlersOf, type MswHandler } from "./msw/handlers.ts";
import { http, intercept, type ListenOptions } from "./msw/intercept-node.ts";

/** A mock that can intercept the requests of this process. */
export interface NodeMock extends Mock {
  /** Handlers for a suite that has an MSW server of its own: `server.use(...mock.handlers)`. */
  readonly handlers: readonly MswHandler[];
  /** Begins to intercept requests to the mock's base addresses. Every other request passes through. */
  listen(options?: ListenOptions): void;
  /** Ends the interception. */
  close(): void;
}

/**
 * Makes a mock of the service for Node.
 *
 * @example
 * ```ts
 * const mock = createMock();
 * beforeAll(() => mock.listen());
 * afterEach(() => mock.reset());
 * afterAll(() => mock.close());
 * ```
 * @throws TypeError when an option cannot be used.
 */
export function createMock(options: MockOptions = {}): NodeMock {
  const core = createCore(options);
  const handlers = handlersOf(core, http);
  let stop: (() => void) | undefined;
  return Object.assign(core, {
    handlers,
    listen: (given: ListenOptions = {}) => {
      core.keep();
      stop ??= intercept(handlers, given);
    },
    close: () => {
      stop?.();
      stop = undefined;
    },
  });
}

export * from "./index.ts";
export type { ListenOptions, MswHandler };
