/** The servers that benchmarks call, each in its own process. `node bench/servers.ts fixed` and `bare` run one. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { VERSION } from "#current/version";

/** The webhook endpoint that the servers return. */
export const ENDPOINT = {
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

const SERVERS = { fixed: serveFixed, bare: serveBare } as const;

/** `fixed` returns the endpoint to every request; `bare` reads and ingests without rules; `mock` is `billing mock`. */
export type ServerName = keyof typeof SERVERS | "mock";

/** A server in its own process. */
export interface Child {
  readonly pid: number;
  readonly url: string;
  /** From the start of the process to its first response, in milliseconds. */
  readonly startTime: number;
  stop(): void;
}

const hasTaskset = spawnSync("taskset", ["-c", "1", "true"]).status === 0;

/** Returns the command that starts Node.js on one core, or on any if the system cannot choose. */
export function onCore(core: 0 | 1, ...parameters: readonly string[]): [command: string, ...parameters: string[]] {
  const command: [string, ...string[]] = [process.execPath, ...parameters];
  return hasTaskset ? ["taskset", "-c", String(core), ...command] : command;
}

/** Starts a server on the second core, and waits for its first response. */
export async function start(name: ServerName, seed: object = {}): Promise<Child> {
  const [file, ...rest] = onCore(1, ...(name === "mock" ? mockArguments(seed) : [import.meta.filename, name]));
  const begun = performance.now();
  const child = spawn(file, rest, { stdio: ["ignore", "pipe", "inherit"] });
  const stop = () => void child.kill();
  process.on("exit", stop);
  child.on("exit", () => process.off("exit", stop));
  for await (const line of createInterface(child.stdout)) {
    const { url } = JSON.parse(line) as { readonly url: string };
    await fetch(`${url}/v1/webhooks/endpoints/x`).then((response) => response.text());
    const startTime = performance.now() - begun;
    return { pid: child.pid as number, url, startTime, stop };
  }
  throw new Error(`The server "${name}" exited before it printed its URL.`);
}

function mockArguments(seed: object): string[] {
  const file = join(mkdtempSync(join(tmpdir(), "bench-")), "seed.json");
  writeFileSync(file, JSON.stringify(seed));
  const command = fileURLToPath(new URL("../dist/cli/billing.js", import.meta.url));
  return [command, "mock", "--port", "0", "--json", "--seed-data", file];
}

/** Returns the processor time of a process in seconds, over all threads; 0 if the system does not provide it. */
export function processorTime(pid: number): number {
  const folder = `/proc/${pid}/task`;
  if (!existsSync(folder)) return 0;
  const nanoseconds = (thread: string) => Number(readFileSync(`${folder}/${thread}/schedstat`, "utf8").split(" ")[0]);
  return readdirSync(folder).reduce((total, thread) => total + nanoseconds(thread) / 1e9, 0);
}

function serveFixed(): void {
  const body = JSON.stringify(ENDPOINT);
  const headers = { "content-type": "application/json", "content-length": body.length, "service-version": VERSION };
  const server = createServer({ keepAliveTimeout: 120_000 }, (_request, response) => {
    response.writeHead(200, headers).end(body);
  });
  server.listen(0, "127.0.0.1", () => announce((server.address() as AddressInfo).port));
}

/** Serves a fetch handler without rules on `@hono/node-server`. */
async function serveBare(): Promise<void> {
  const { serve } = await import("@hono/node-server");
  const json = (body: object): Response => Response.json(body, { headers: { "Service-Version": VERSION } });
  const handle = async (request: Request): Promise<Response> => {
    if (request.method === "GET") return json(ENDPOINT);
    const { events } = (await request.json()) as { readonly events: readonly unknown[] };
    return json({ inserted: 0, duplicates: events.length });
  };
  serve({ hostname: "127.0.0.1", port: 0, fetch: handle }, ({ port }) => announce(port));
}

function announce(port: number): void {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
}

if (import.meta.main) await SERVERS[process.argv[2] as keyof typeof SERVERS]();
