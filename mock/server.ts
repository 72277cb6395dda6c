/**
 * The mock as an HTTP server of its own, for programs in any language.
 *
 * @module mock/server
 */
import { createCore } from "./api/core.ts";
import { SERVER_OPTIONS, type ServerOptions } from "./server/options.ts";
import { type CloseOptions, type MockServer, serve } from "./server/serve.ts";

/**
 * Starts a server.
 *
 * @example
 * ```ts
 * const server = await startServer({ port: 4010 });
 * const billing = createClient({ accessToken: server.mock.issueToken(), baseUrl: server.url });
 * await server.close();
 * ```
 * @throws TypeError when an option cannot be used; Node's error with the code `EADDRINUSE` when the port is taken.
 */
export async function startServer(options: ServerOptions = {}): Promise<MockServer> {
  return serve(createCore(options, { name: "startServer", more: SERVER_OPTIONS }), options);
}

export * from "./index.ts";
export type { Latency } from "./server/latency.ts";
export type { CloseOptions, MockServer, ServerOptions };
