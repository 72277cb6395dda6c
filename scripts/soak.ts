/**
 * Tests `billing mock` and event buffers under load for some minutes: `npm run soak -- --minutes 10`.
 *
 * Adds events to buffers in SQLite, Redis and Postgres through outages and kills, and sends the requests of the fuzz tests to a
 * server in its own process. The exit code is 1 after any violation: an event that was added and neither stored nor handed
 * over, a response that the contract does not declare, a status of 500 or more, no response, a server that exits or grows.
 */
import { parseArgs } from "node:util";
import { soakBuffers } from "./soak/buffers.ts";
import { fuzzServer } from "./soak/fuzz.ts";
import { Report } from "./soak/report.ts";

/** The parts of the test; `--part buffers` runs only that part. */
const PARTS = { buffers: soakBuffers, fuzz: fuzzServer };

const { values } = parseArgs({ options: { minutes: { type: "string", default: "10" }, part: { type: "string" } } });
const report = new Report();
const parts = Object.entries(PARTS).filter(([name]) => name === (values.part ?? name));
if (parts.length === 0) throw new Error(`--part must be one of ${Object.keys(PARTS).join(", ")}.`);
for (const [name, part] of parts) {
  report.begin(name);
  await part(report, Date.now() + (Number(values.minutes) * 60_000) / parts.length);
}
report.print();
process.exit(report.violations > 0 ? 1 : 0);
