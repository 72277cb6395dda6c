/**
 * Measures how long a Node.js process takes to start and read one endpoint: `npm run bench:start`.
 *
 * Each program gets the same response from a server in its own process. The time of an empty program is subtracted.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { compare, median, scaled } from "./harness.ts";
import { installPeers } from "./install-peers.ts";
import { start } from "./servers.ts";

const STARTS = scaled(5);

const PROGRAMS = {
  "bare fetch": "fetch.js",
  "ky + zod/mini": "ky-zod.js",
  "@polar-sh/sdk": "polar.js",
  "this client": "client.js",
  "this client, CommonJS": "client-commonjs.cjs",
} as const;

installPeers();
const server = await start("fixed");
await compare({
  metrics: [{ title: "starting and reading one endpoint", unit: "ms" }],
  cases: Object.fromEntries(Object.entries(PROGRAMS).map(([name, program]) => [name, () => [measure(program)]])),
});
server.stop();

/** Returns the median of several starts, without the time of an empty program. */
function measure(program: string): number {
  return median(Array.from({ length: STARTS }, () => runTime(program) - runTime("empty.js")));
}

function runTime(program: string): number {
  const file = fileURLToPath(new URL(`programs/${program}`, import.meta.url));
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [file, server.url], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  return performance.now() - begin;
}
