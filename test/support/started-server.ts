import { onTestFinished } from "vitest";
import { type MockServer, type ServerOptions, startServer } from "../../mock/server.ts";
import { exchange, requestText } from "./raw-socket.ts";

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

/** Sends a request with these headers over a connection of its own, and returns the response as text. */
export async function exchanged({ url }: MockServer, line: string, headers: Record<string, string>, body = "") {
  return (await exchange(url, requestText(line, { ...headers, Connection: "close" }, body))).text;
}

/**
 * Calls the control API: `control(server, "POST /tokens", { type: "pat" })`. A string is sent unchanged. Returns the
 * parsed body; undefined if it is empty.
 */
export async function control({ url }: MockServer, line: string, body?: object | string) {
  const [method = "GET", path = ""] = line.split(" ");
  const text = typeof body === "object" ? JSON.stringify(body) : (body ?? null);
  const response = await fetch(`${url}/__mock${path}`, { method, body: text });
  const answer = await response.text();
  return { status: response.status, headers: response.headers, body: answer ? JSON.parse(answer) : undefined };
}
