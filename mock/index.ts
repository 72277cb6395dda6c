/**
 * The service in memory, as a function from a request to its answer. It needs no other package and runs everywhere.
 *
 * @module mock
 */
import { createCore } from "./api/core.ts";
import type { Mock, MockOptions } from "./api/mock.ts";

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

export type * from "./api/public-types.ts";
export { defaultAssumptions } from "./assumptions/default-assumptions.ts";
export { strict } from "./assumptions/strict.ts";
