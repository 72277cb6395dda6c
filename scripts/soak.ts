/**
 * Works on `billing-mock` until the time is over: `npm run soak -- --minutes 10`.
 *
 * At least a hundred thousand requests of the fuzz, the worst bodies, a million events, slow clients, and SIGTERM under
 * load. It prints what it does and, at the end, its figures; the exit code is 1 when anything was wrong: an answer that
 * no contract declares, a status of 500 or more, no answer, a server that ends by itself or does not stop.
 */
import { parseArgs } from "node:util";
import { fuzzControl, fuzzService } from "./soak/load.ts";
import { manyEvents } from "./soak/million.ts";
import { Report } from "./soak/report.ts";
import { type Soaked, start } from "./soak/server.ts";
import { slowClients } from "./soak/slow.ts";
import { stopUnderLoad } from "./soak/stop.ts";
import { worstBodies } from "./soak/worst.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    requests: { type: "string", default: "100000" },
    part: { type: "string" },
    events: { type: "string", default: "1000000" },
  },
});
const end = Date.now() + Number(values.minutes) * 60_000;
const report = new Report();

/** What is done once; `--part "slow clients"` does only that. */
const PARTS: Readonly<Record<string, (server: Soaked) => Promise<void>>> = {
  "worst bodies": (server) => worstBodies(report, server),
  "slow clients": (server) => slowClients(report, server, 200),
  "SIGTERM under load": async () => {
    for (let round = 0; round < 3; round++) await stopUnderLoad(report);
  },
  "many events": async () => {
    const other = await start(report, ["--max-events", values.events]);
    await manyEvents(report, other, Number(values.events));
    await other.stop();
  },
  "the fuzz": fuzzOn,
};

const server = await start(report);
for (const [name, part] of Object.entries(PARTS)) {
  if (values.part !== undefined && values.part !== name) continue;
  report.begin(name);
  await part(server);
}
await server.stop();
report.print();
process.exit(report.violations > 0 ? 1 : 0);

/** Goes on until the time is over and enough requests were sent, or the server is dead. */
async function fuzzOn(server: Soaked): Promise<void> {
  const before = report.requests;
  while (report.deaths === 0 && (Date.now() < end || report.requests - before < Number(values.requests))) {
    report.begin("fuzz of the service");
    await fuzzService(report, server, 4000);
    report.begin("fuzz of the control interface");
    await fuzzControl(report, server, 1000);
    console.log(`          ${report.requests} requests, ${Math.max(0, Math.round((end - Date.now()) / 1000))} s left`);
  }
}
