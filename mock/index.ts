/**
 * The service in memory, as a function from a request to a response. It has no dependencies and runs in every JavaScript
 * environment.
 *
 * @module mock
 */
import { createEngine } from "./api/engine.ts";
import type { ContractOptions, Mock, MockOptions } from "./api/mock.ts";
import type { MockNames } from "./generated/names.ts";

/**
 * Creates a mock of the service.
 *
 * @example
 * ```ts
 * const mock = createMock();
 * const billing = createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });
 * ```
 * @throws TypeError when an option is unknown or invalid.
 */
export function createMock(options: ContractOptions): Mock<MockNames>;
export function createMock(options?: MockOptions): Mock;
export function createMock(options: MockOptions = {}): Mock<MockNames> {
  return createEngine(options).mock;
}

export type * from "./api/mock.ts";
export { defaultAssumptions, strict } from "./assumptions/assumptions.ts";
