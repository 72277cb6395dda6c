import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { sqliteOutbox } from "../../src/usage/sqlite.ts";
import { started } from "../support/started-server.ts";
import { newFolder } from "./outboxes.ts";
import { failedShare, failRequests } from "./service-faults.ts";
import { UsageProcess } from "./usage-process.ts";

/** `CRASH_EVENTS=100000` runs the test at full length. */
const EVENTS = Number(process.env["CRASH_EVENTS"] ?? 20_000);
const KILLS = 10;

it(`stores each of ${EVENTS} events once, through ${KILLS} kills and failures of every kind`, {
  timeout: 300_000,
}, async () => {
  const server = await started({ seed: 1 });
  failRequests(server.mock);
  const storage = join(newFolder(), "usage.db");
  const options = { storage, baseUrl: server.url, accessToken: server.mock.issueToken(), name: "event", total: EVENTS };
  const process = new UsageProcess(options);
  onTestFinished(() => process.kill());
  for (let kills = 1; kills <= KILLS; kills++) {
    while (server.mock.events.size < (EVENTS * kills) / (KILLS + 1)) await sleep(1);
    await process.restart();
  }
  while (process.added < EVENTS) await sleep(10);
  await process.drain();
  expect(process.lost).toEqual([]);
  const ids = server.mock.events.list().map(({ external_id }) => external_id);
  expect({ stored: ids.length, distinct: new Set(ids).size }).toEqual({ stored: EVENTS, distinct: EVENTS });
  const outbox = sqliteOutbox(storage);
  expect((await outbox.state()).events).toBe(0);
  await outbox.close();
  expect(failedShare(server.mock)).toBeGreaterThan(0.1);
});
