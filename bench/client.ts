/**
 * Measures calls of the client beside other SDKs and bare HTTP clients: `npm run bench:client`.
 *
 * A server on one processor responds to every request with the same endpoint; each case reads it in a new process on
 * another processor, one call at a time and 64 at once. The ratio of a round is the calls per second of a case divided by
 * those of bare `fetch`. The medians are printed, with the processor time of a call. Only this client validates the
 * responses. `ROUNDS=7` measures more often; `ONLY="this client"` measures only that case beside bare `fetch`.
 */
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { cases } from "./client-cases.ts";
import type { Speeds } from "./client-process.ts";
import { ENDPOINT } from "./endpoint.ts";
import { installPeers } from "./install-peers.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 3);
const [BARE = ""] = Object.keys(cases);
const PROGRAM = fileURLToPath(new URL("client-process.ts", import.meta.url));

type Round = Readonly<Record<string, Speeds>>;

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
  const ordered = round % 2 === 1 ? names.toReversed() : names;
  const speeds = new Map(ordered.map((name) => [name, measure(name, baseUrl)]));
  return Object.fromEntries(names.map((name) => [name, speeds.get(name) as Speeds]));
}

function isChosen(name: string, index: number): boolean {
  const only = process.env["ONLY"];
  return index === 0 || only === undefined || only.split(",").includes(name);
}

function measure(name: string, baseUrl: string): Speeds {
  const [command, ...parameters] = onProcessor(0);
  return JSON.parse(execFileSync(command, [...parameters, PROGRAM, name, baseUrl], { encoding: "utf8" })) as Speeds;
}

function print(rounds: readonly Round[]): void {
  console.log("| case | one call at a time | ratio | processor | 64 at once | ratio | processor |");
  console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
  for (const name of Object.keys(rounds[0] ?? {})) {
    const columns = (["sequential", "concurrent"] as const).flatMap((kind) => columnsOf(rounds, name, kind));
    console.log(`| ${name} | ${columns.join(" | ")} |`);
  }
}

/** Returns the calls per second, their ratio to the first case, and the processor time of a call. */
function columnsOf(rounds: readonly Round[], name: string, kind: keyof Speeds): string[] {
  const speeds = rounds.map((round) => round[name]?.[kind] ?? { perSecond: 0, processor: 0 });
  const bare = rounds.map((round) => round[BARE]?.[kind].perSecond ?? 0);
  const ratios = speeds.map(({ perSecond }, round) => perSecond / (bare[round] ?? 0));
  return [
    `${median(speeds.map(({ perSecond }) => perSecond)).toFixed(0)}/s`,
    median(ratios).toFixed(2),
    `${median(speeds.map(({ processor }) => processor)).toFixed(0)} µs`,
  ];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
