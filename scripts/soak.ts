/**
 * Tests `billing mock` and event buffers under load for some minutes: `npm run soak -- --minutes 10`.
 *
 * Sends the requests of the fuzz tests to a server in its own process, stops servers under load, and adds events to buffers in
 * SQLite and Redis through outages and kills. The exit code is 1 after any violation: a response that the contract does not
 * declare, a status of 500 or more, no response, a server that exits, grows or does not stop, an event that was added and not
 * stored.
 */
import { parseArgs } from "node:util";
import { soakBuffers } from "./soak/buffers.ts";
import { fuzzControl, fuzzService } from "./soak/fuzz.ts";
import { Report } from "./soak/report.ts";
import { startServer, stopUnderLoad, type TestedServer } from "./soak/server.ts";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "10" }, part: { type: "string" } } });
const report = new Report();
/** The parts of the test; `--part buffers` runs only that part. */
const PARTS: Readonly<Record<string, (server: TestedServer, end: number) => Promise<void>>> = {
  stop: () => stopUnderLoad(report),
  buffers: (_, end) => soakBuffers(report, end),
  fuzz: runFuzz,
};
const names = values.part === undefined ? Object.keys(PARTS) : [values.part];
const share = (Number(values.minutes) * 60_000) / names.length;

const server = await startServer(report);
for (const name of names) {
  const part = PARTS[name];
  if (!part) throw new Error(`--part must be one of ${Object.keys(PARTS).join(", ")}; received "${name}".`);
  report.begin(name);
  await part(server, Date.now() + share);
}
await server.stop();
report.print();
process.exit(report.violations > 0 ? 1 : 0);

/** Runs until the time is over, or until the server has exited. */
async function runFuzz(tested: TestedServer, end: number): Promise<void> {
  while (tested.process.exitCode === null && Date.now() < end) {
    await fuzzService(report, tested, 4_000);
    await fuzzControl(report, tested, 1_000);
    report.progress(`${report.requests} requests, ${Math.max(0, Math.round((end - Date.now()) / 1000))} s left`);
  }
}
