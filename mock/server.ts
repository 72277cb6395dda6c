/**
 * The mock as a standalone HTTP server, for programs in any language.
 *
 * @module mock/server
 */
import { createEngine } from "./api/engine.ts";
import type { ContractOptions } from "./api/mock.ts";
import type { MockNames } from "./generated/names.ts";
import { type CloseOptions, type MockServer, SERVER_OPTIONS, type ServerOptions, serve } from "./server/serve.ts";

/**
 * Starts the mock as an HTTP server.
 *
 * @example
 * ```ts
 * const server = await startServer({ port: 4010 });
 * const accessToken = server.mock.issueToken();
 * const billing = createClient({ accessToken, baseUrl: server.url });
 * await server.close();
 * ```
 * @throws TypeError when an option is unknown or invalid; the error of Node.js with the code `EADDRINUSE` when the port
 * is in use.
 */
export async function startServer(options: ServerOptions & ContractOptions): Promise<MockServer<MockNames>>;
export async function startServer(options?: ServerOptions): Promise<MockServer>;
export async function startServer(options: ServerOptions = {}): Promise<MockServer<MockNames>> {
  return serve(createEngine(options, "startServer", SERVER_OPTIONS), options);
}

export * from "./index.ts";
export type { CloseOptions, MockServer, ServerOptions };
