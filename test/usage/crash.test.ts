import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { MockServer } from "../../mock/server.ts";
import { sqliteOutbox } from "../../src/usage/sqlite.ts";
import { started } from "../support/started-server.ts";
import type { Assignment, Message } from "./crashing-process.ts";
import { failedShare, failRequests } from "./service-faults.ts";

const TOTAL = 100_000;
const KILLS = 10;

const folder = mkdtempSync(join(tmpdir(), "crash-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a process until it has sent everything, or until the service has a number of events; then kills it. */
async function run(assignment: Assignment, server: MockServer, killAt: number): Promise<number> {
  const child = fork(new URL("./crashing-process.ts", import.meta.url), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  let { added } = assignment;
  child.on("message", (message: Message) => {
    if ("lost" in message) throw new Error(`lost: ${JSON.stringify(message.lost)}`);
    if ("added" in message) added = message.added;
  });
  child.send(assignment);
  const watch = setInterval(() => server.mock.events.size >= killAt && child.kill("SIGKILL"), 1);
  await exited.finally(() => clearInterval(watch));
  requireExit(child, killAt);
  return added;
}

function requireExit({ exitCode, signalCode }: ChildProcess, killAt: number): void {
  expect({ exitCode, signalCode }).toEqual(
    killAt < TOTAL ? { exitCode: null, signalCode: "SIGKILL" } : { exitCode: 0, signalCode: null },
  );
}

it(`stores each of ${TOTAL} events once, through ${KILLS} kills and failures of every kind`, {
  timeout: 300_000,
}, async () => {
  const server = await started({ seed: 1 });
  const accessToken = server.mock.issueToken();
  failRequests(server.mock);
  const path = join(folder, "usage.db");
  let added = 0;
  for (let killed = 0; killed <= KILLS; killed++) {
    const killAt = killed < KILLS ? (TOTAL * (killed + 1)) / (KILLS + 1) : Number.POSITIVE_INFINITY;
    added = await run({ baseUrl: server.url, accessToken, path, added, total: TOTAL }, server, killAt);
  }
  expect(added).toBeGreaterThanOrEqual(TOTAL);
  const ids = server.mock.events.list().map(({ external_id }) => external_id);
  expect({ stored: ids.length, distinct: new Set(ids).size }).toEqual({ stored: TOTAL, distinct: TOTAL });
  const outbox = sqliteOutbox(path);
  expect(await outbox.state()).toEqual({ events: 0, oldest: undefined });
  await outbox.close();
  expect(failedShare(server.mock)).toBeGreaterThan(0.1);
});
