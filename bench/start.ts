/**
 * Measures how long a Node.js process takes to start and read one endpoint: `npm run bench:start`.
 *
 * The programs run in turns, so that changes in machine speed affect all. Each gets the same response from a server in its
 * own process. The time of an empty program is subtracted. Prints the medians, and their ratio to bare `fetch`.
 */
import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { ENDPOINT } from "./endpoint.ts";
import { installPeers } from "./install-peers.ts";

const STARTS = Number(process.env["STARTS"] ?? 25);

const PROGRAMS = {
  "an empty program": "programs/empty.js",
  "bare fetch": "programs/fetch.js",
  "ky + zod/mini": "programs/ky-zod.js",
  "@polar-sh/sdk": "programs/polar.js",
  "the client": "programs/client.js",
  "the client, CommonJS": "programs/client-commonjs.cjs",
} as const;

type Name = keyof typeof PROGRAMS;
const names = Object.keys(PROGRAMS) as Name[];

if (process.argv[2] === "serve") serve();
else await measureAll();

function serve(): void {
  const body = JSON.stringify(ENDPOINT);
  const headers = { "content-type": "application/json", "content-length": body.length, "service-version": "2025-01" };
  const server = createServer((_request, response) => void response.writeHead(200, headers).end(body));
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
}

async function measureAll(): Promise<void> {
  installPeers();
  const server: ChildProcess = fork(import.meta.filename, ["serve"]);
  const [port] = (await once(server, "message")) as [number];
  const times = measure(`http://127.0.0.1:${port}`);
  server.kill();
  const own = (name: Name) => times[name] - times["an empty program"];
  for (const name of names.slice(1)) {
    console.log(`${name}: ${own(name).toFixed(1)} ms (${(own(name) / own("bare fetch")).toFixed(2)})`);
  }
}

/** Returns the median run time of each program, in milliseconds. The first round only fills the caches of the machine. */
function measure(url: string): Record<Name, number> {
  const rounds = Array.from({ length: STARTS + 1 }, (_, round) => measureRound(url, round)).slice(1);
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]))])) as Record<
    Name,
    number
  >;
}

/** Measures each program once. Each round starts with another program. */
function measureRound(url: string, round: number): Record<Name, number> {
  const turned = names.map((_, index) => names[(index + round) % names.length] as Name);
  return Object.fromEntries(turned.map((name) => [name, runTime(PROGRAMS[name], url)])) as Record<Name, number>;
}

function runTime(program: string, url: string): number {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [file, url], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  return performance.now() - begin;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
