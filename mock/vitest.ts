/**
 * A Vitest fixture: every test receives its own mock and client, also when tests run concurrently. Load it with `import`, because
 * Vitest consists of ES modules only.
 *
 * @module mock/vitest
 */
import { type TestAPI, test } from "vitest";
import { createMock, type Mock, type MockOptions, type TokenInput } from "./index.ts";

/** Options for the client of a test. The `createClient` of every version accepts them. */
export interface TestClientOptions {
  /** A token that the mock of the test has issued. */
  readonly accessToken: string;
  /** Sends the requests to the mock of the test. */
  readonly fetch: Mock["fetch"];
}

/** Options for `createTest`: `createClient`, and any option of `createMock`. */
export interface TestSetup<Client extends object> extends MockOptions {
  /** Creates the client: a version's `createClient`, or a function that calls it with more options. */
  readonly createClient: (options: TestClientOptions) => Client;
  /** Options for the client's token. By default, it is an organization access token with every scope. */
  readonly token?: TokenInput;
}

/** The fixtures in the context of a test. */
export interface TestFixtures<Client> {
  /** The mock of this test. */
  readonly mock: Mock;
  /** A client that is connected to that mock. */
  readonly client: Client;
}

/**
 * Creates a `test` that gives each test its own `mock` and `client`. The client passes its requests to `mock.fetch`. Nothing
 * is intercepted, so tests can run in parallel in one process.
 *
 * @example
 * ```ts
 * const test = createTest({ createClient });
 *
 * test.concurrent("counts a call", async ({ client, mock, expect }) => {
 *   await client.events.ingest([{ name: "api.call", external_customer_id: "acme" }]);
 *   expect(mock.events.size).toBe(1);
 * });
 * ```
 */
export function createTest<Client extends object>(setup: TestSetup<Client>): TestAPI<TestFixtures<Client>> {
  const { createClient, token, ...options } = setup;
  const made = test.extend<TestFixtures<object>>({
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures are needed: none.
    mock: async ({}, use) => {
      const mock = createMock(options);
      await use(mock);
      // A pending delivery must not arrive during another test.
      mock.reset();
    },
    client: async ({ mock }, use) => {
      await use(createClient({ accessToken: mock.issueToken(token), fetch: mock.fetch }));
    },
  });
  // Vitest's types tell values from functions, which cannot be done for a type that is not known yet.
  return made as unknown as TestAPI<TestFixtures<Client>>;
}

export * from "./index.ts";
