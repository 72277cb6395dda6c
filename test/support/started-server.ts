import { onTestFinished } from "vitest";
import { type MockServer, type ServerOptions, startServer } from "../../mock/server.ts";

/** One usage event, as the body of an ingest. */
export const EVENT: string = JSON.stringify({ events: [{ name: "call", external_customer_id: "c1" }] });

/** Starts a server that is closed when the test ends. */
export async function started(options: ServerOptions = {}): Promise<MockServer> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** The headers of a request with a new token and a JSON body. */
export function authorized({ mock }: MockServer, more: Record<string, string> = {}): Record<string, string> {
  return { authorization: `Bearer ${mock.issueToken()}`, "content-type": "application/json", ...more };
}
