/**
 * Measures calls of the client beside other SDKs and bare HTTP clients: `npm run bench -- client`.
 *
 * A server on one core returns the same endpoint to every request; each case creates it in a new process on another core, one
 * call at a time and 64 at once. Only this client validates the responses.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { cases } from "./client-cases.ts";
import { compare } from "./harness.ts";
import { installPeers } from "./programs.ts";
import { onCore, start } from "./server.ts";

const PROGRAM = fileURLToPath(new URL("client-process.ts", import.meta.url));

await installPeers();
const server = await start();
await compare({
  metrics: [
    { title: "one call at a time", unit: "calls/s", more: true },
    { title: "one call at a time, processor time", unit: "µs per call" },
    { title: "64 calls at once", unit: "calls/s", more: true },
    { title: "64 calls at once, processor time", unit: "µs per call" },
  ],
  cases: Object.fromEntries(Object.keys(cases).map((name) => [name, () => measure(name)])),
});
server.stop();

function measure(name: string): readonly number[] {
  const [command, ...parameters] = onCore(0, PROGRAM, name, server.url);
  return JSON.parse(execFileSync(command, parameters, { encoding: "utf8" })) as number[];
}
