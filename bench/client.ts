/**
 * Measures calls of the client beside other SDKs and bare HTTP clients: `npm run bench:client`.
 *
 * A server on one processor responds to every request with the same endpoint; each case reads it in a new process on
 * another processor, one call at a time and 64 at once. The ratio of a round is the calls per second of a case divided by
 * those of bare `fetch`; the medians are printed. Only this client validates the responses. `ROUNDS=7` measures more often;
 * `ONLY="this client"` measures only that case beside bare `fetch`.
 */
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { cases } from "./client-cases.ts";
import type { Speed } from "./client-process.ts";
import { installPeers } from "./install-peers.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 3);
const PROGRAM = fileURLToPath(new URL("client-process.ts", import.meta.url));

const ENDPOINT = {
  created_at: "2025-01-15T10:30:00.000000Z",
  modified_at: "2025-02-01T08:00:00.000000Z",
  id: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  url: "https://example.com/webhooks/billing",
  name: "Production billing endpoint",
  api_version: "2025-01",
  format: "raw",
  secret: "whsec_TWZLUTlyOEdLWXFyVHdqVVBEOElMUFpJbzJMYUxhU3c=",
  organization_id: "1dbfc517-0bbf-4301-9ba8-555ca42b9737",
  events: ["checkout.created", "checkout.updated", "order.created", "order.paid", "order.refunded", "customer.created"],
  enabled: true,
  uses_standard_webhook_signature: true,
};

type Round = Readonly<Record<string, Speed>>;

if (process.argv[2] === "serve") serve();
else await measureAll();

function serve(): void {
  const body = JSON.stringify(ENDPOINT);
  const headers = { "content-type": "application/json", "content-length": body.length, "service-version": "2025-01" };
  const server = createServer({ keepAliveTimeout: 120_000 }, (_request, response) => {
    response.writeHead(200, headers).end(body);
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
}

async function measureAll(): Promise<void> {
  installPeers();
  const [execPath, ...execArgv] = onProcessor(1);
  const server: ChildProcess = fork(fileURLToPath(import.meta.url), ["serve"], { execPath, execArgv });
  const [port] = (await once(server, "message")) as [number];
  const rounds = Array.from({ length: ROUNDS }, (_, round) => measureRound(`http://127.0.0.1:${port}`, round));
  server.kill();
  print(rounds);
}

/** Returns the command that starts Node.js on one processor, or on any if the system cannot choose. */
function onProcessor(processor: number): [command: string, ...parameters: string[]] {
  const canChoose = process.platform === "linux" && availableParallelism() > 1;
  return canChoose ? ["taskset", "-c", String(processor), process.execPath] : [process.execPath];
}

/** Measures every case once, in an order that alternates between rounds. */
function measureRound(baseUrl: string, round: number): Round {
  const names = Object.keys(cases).filter(isChosen);
  if (round % 2 === 1) names.reverse();
  return Object.fromEntries(names.map((name) => [name, measure(name, baseUrl)]));
}

function isChosen(name: string, index: number): boolean {
  const only = process.env["ONLY"];
  return index === 0 || only === undefined || only.split(",").includes(name);
}

function measure(name: string, baseUrl: string): Speed {
  const [command, ...parameters] = onProcessor(0);
  return JSON.parse(execFileSync(command, [...parameters, PROGRAM, name, baseUrl], { encoding: "utf8" })) as Speed;
}

function print(rounds: readonly Round[]): void {
  const [bare = "", ...others] = Object.keys(cases).filter((name) => name in (rounds[0] ?? {}));
  console.log("| case | one call at a time | ratio | 64 at once | ratio |\n| --- | ---: | ---: | ---: | ---: |");
  for (const name of [bare, ...others]) {
    const columns = (["sequential", "concurrent"] as const).flatMap((kind) => [
      `${median(rounds.map((round) => round[name]?.[kind] ?? 0)).toFixed(0)}/s`,
      median(rounds.map((round) => (round[name]?.[kind] ?? 0) / (round[bare]?.[kind] ?? 0))).toFixed(2),
    ]);
    console.log(`| ${name} | ${columns.join(" | ")} |`);
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
