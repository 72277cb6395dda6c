/**
 * Tests `billing mock` and event buffers under load for some minutes: `npm run soak -- --minutes 10`.
 *
 * Sends at least a hundred thousand requests of the fuzz tests, the worst bodies, 100,000 events, slow clients, and
 * SIGTERM under load. Adds events to buffers in SQLite and Redis through outages and kills, and sends hostile bodies to
 * webhook receivers. Prints each step and, at the end, a summary. The exit code is 1 after any violation: a response that the
 * contract does not declare, a status of 500 or more, no response, a server that exits or does not stop, an event that was
 * added and not stored.
 */
import { parseArgs } from "node:util";
import { soakBuffers } from "./soak/buffers.ts";
import { fuzzControl, fuzzService } from "./soak/fuzz.ts";
import { emitToManyEndpoints, manyEvents } from "./soak/large-amounts.ts";
import { soakReceivers } from "./soak/receivers.ts";
import { Report } from "./soak/report.ts";
import { startServer, type TestedServer } from "./soak/server.ts";
import { slowClients, stopUnderLoad } from "./soak/slow-clients.ts";
import { worstBodies } from "./soak/worst-bodies.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    requests: { type: "string", default: "100000" },
    part: { type: "string" },
    events: { type: "string", default: "100000" },
  },
});
const end = Date.now() + Number(values.minutes) * 60_000;
const report = new Report();

/** The parts of the test. `--part "slow clients"` runs only that part. */
const PARTS: Readonly<Record<string, (server: TestedServer) => Promise<void>>> = {
  "worst bodies": (server) => worstBodies(report, server),
  "many endpoints": (server) => emitToManyEndpoints(report, server, 10_000),
  "slow clients": (server) => slowClients(report, server, 200),
  "SIGTERM under load": async () => {
    for (let round = 0; round < 3; round++) await stopUnderLoad(report);
  },
  "many events": async () => {
    const other = await startServer(report, ["--max-events", values.events]);
    await manyEvents(report, other, Number(values.events));
    await other.stop();
  },
  buffers: () => soakBuffers(report, values.part === undefined ? Date.now() + (end - Date.now()) / 3 : end),
  receivers: () => soakReceivers(report, values.part === undefined ? Date.now() + (end - Date.now()) / 4 : end),
  "the fuzz": runFuzz,
};

const server = await startServer(report);
for (const [name, part] of Object.entries(PARTS)) {
  if (values.part !== undefined && values.part !== name) continue;
  report.begin(name);
  await part(server);
}
await server.stop();
report.print();
process.exit(report.violations > 0 ? 1 : 0);

/** Runs until the time is over and enough requests were sent, or until the server has exited. */
async function runFuzz(server: TestedServer): Promise<void> {
  const before = report.requests;
  while (report.deaths === 0 && (Date.now() < end || report.requests - before < Number(values.requests))) {
    report.begin("fuzz of the service");
    await fuzzService(report, server, 4000);
    report.begin("fuzz of the control API");
    await fuzzControl(report, server, 1000);
    report.progress(`${report.requests} requests, ${Math.max(0, Math.round((end - Date.now()) / 1000))} s left`);
  }
}
