/**
 * Measures calls of the client beside other SDKs and bare HTTP clients: `npm run bench -- client`.
 *
 * A server on one core returns the same endpoint to every request; each case creates it in a new process on another core, one
 * call at a time and 64 at once. Only this client validates the responses.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import ky from "ky";
import { createClient } from "#current";
import { VERSION } from "#current/names";
import { cases } from "./client-cases.ts";
import { compare, perSecond } from "./harness.ts";
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

const events = Array.from({ length: 100 }, () => ({
  name: "api.call",
  customer_id: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
}));
const headers = { "service-version": VERSION };
const fetch = async () => Response.json({ inserted: 100, duplicates: 0 }, { headers });
const billing = createClient({ accessToken: "bench-token-0123456789", fetch });
await compare({
  metrics: [{ title: "100 events without a network", unit: "calls/s", more: true }],
  cases: {
    ky: async () => [await perSecond(5_000, () => ky.post(server.url, { json: { events }, fetch }).json())],
    "this client": async () => [await perSecond(5_000, () => billing.events.ingest(events))],
  },
});

function measure(name: string): readonly number[] {
  const [command, ...parameters] = onCore(0, PROGRAM, name, server.url);
  return JSON.parse(execFileSync(command, parameters, { encoding: "utf8" })) as number[];
}
