/**
 * Measures how long a Node.js process takes to start and read one endpoint: `npm run bench -- start`.
 *
 * Each program gets the same response from a server in its own process. The time of an empty program is subtracted.
 */
import { compare, median, scaled } from "./harness.ts";
import { firstCallTime, installPeers } from "./programs.ts";
import { start } from "./server.ts";

const STARTS = scaled(5);

const PROGRAMS = {
  "bare fetch": "fetch.js",
  "ky + zod/mini": "ky-zod.js",
  "@polar-sh/sdk": "polar.js",
  "this client": "client.js",
  "this client, CommonJS": "client-commonjs.cjs",
} as const;

await installPeers();
const server = await start();
await compare({
  metrics: [{ title: "starting and reading one endpoint", unit: "ms" }],
  cases: Object.fromEntries(Object.entries(PROGRAMS).map(([name, program]) => [name, () => [measure(program)]])),
});
server.stop();

/** Returns the median of several starts. */
function measure(program: string): number {
  return median(Array.from({ length: STARTS }, () => firstCallTime(program, server.url)));
}
