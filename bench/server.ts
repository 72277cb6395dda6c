/**
 * The server that benchmarks call, in its own process: `node bench/servers.ts`. It returns the same endpoint to every request.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { VERSION } from "#current/names";

/** The webhook endpoint that the server returns. */
const ENDPOINT = {
  created_at: "2025-01-15T10:30:00.000000Z",
  modified_at: "2025-02-01T08:00:00.000000Z",
  id: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  url: "https://example.com/webhooks/billing",
  name: "Production billing endpoint",
  api_version: VERSION,
  format: "raw",
  secret: "whsec_TWZLUTlyOEdLWXFyVHdqVVBEOElMUFpJbzJMYUxhU3c=",
  organization_id: "1dbfc517-0bbf-4301-9ba8-555ca42b9737",
  events: ["checkout.created", "checkout.updated", "order.created", "order.paid", "order.refunded", "customer.created"],
  enabled: true,
  uses_standard_webhook_signature: true,
};

/** A server in its own process. */
export interface Child {
  readonly url: string;
  stop(): void;
}

const hasTaskset = spawnSync("taskset", ["-c", "1", "true"]).status === 0;

/** Returns the command that starts Node.js on one core, or on any if the system cannot choose. */
export function onCore(core: 0 | 1, ...parameters: readonly string[]): [command: string, ...parameters: string[]] {
  const command: [string, ...string[]] = [process.execPath, ...parameters];
  return hasTaskset ? ["taskset", "-c", String(core), ...command] : command;
}

/** Starts the server on the second core, and waits for its URL. */
export async function start(): Promise<Child> {
  const [file, ...rest] = onCore(1, import.meta.filename);
  const child = spawn(file, rest, { stdio: ["ignore", "pipe", "inherit"] });
  const stop = () => void child.kill();
  process.on("exit", stop);
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  return { url, stop };
}

function serve(): void {
  const body = JSON.stringify(ENDPOINT);
  const headers = { "content-type": "application/json", "content-length": body.length, "service-version": VERSION };
  const server = createServer({ keepAliveTimeout: 120_000 }, (_request, response) => {
    response.writeHead(200, headers).end(body);
  });
  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}

if (import.meta.main) serve();
