/**
 * The service in memory, as a function from a request to its answer. It needs no other package and runs everywhere.
 *
 * @module mock
 */
import { createCore } from "./core.ts";
import type { Mock, MockOptions } from "./mock.ts";

/**
 * Makes a mock of the service.
 *
 * @example
 * ```ts
 * const mock = createMock();
 * const billing = createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });
 * ```
 * @throws TypeError when an option cannot be used.
 */
export function createMock(options: MockOptions = {}): Mock {
  return createCore(options);
}

export { defaultAssumptions } from "./default-assumptions.ts";
export type * from "./public.ts";
export { strict } from "./strict.ts";
