import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryOutbox } from "../../src/usage/index.ts";
import { sqliteOutbox } from "../../src/usage/sqlite.ts";
import { opener, outboxChecks, outboxEvents } from "./outbox-checks.ts";
import { newFolder, type Storage, storages } from "./outboxes.ts";

const powerLoss = (): Storage => {
  const path = join(newFolder(), "usage.db");
  return { durable: true, shared: false, open: () => sqliteOutbox(path, { survivesPowerLoss: true }) };
};

// Redis has a test of its own, with every kind of client.
const { Redis: _, ...others } = storages;

describe.each(Object.entries({ ...others, "SQLite with survivesPowerLoss": powerLoss }))(
  "an outbox in %s",
  (_, create) => {
    it.each(outboxChecks)("$name", async ({ needs, run }) => {
      const storage = await create();
      if (needs === undefined || storage[needs]) await run(opener(() => storage.open()));
    });
  },
);

it("memoryOutbox keeps the order of many events that are taken, released and confirmed", async () => {
  const outbox = memoryOutbox();
  await outbox.append(outboxEvents(Array.from({ length: 10_000 }, (_, index) => String(index))));
  const ids: string[] = [];
  for (let taken = await outbox.take({ events: 7, bytes: 1e9 }); taken.length > 0; ) {
    ids.push(...taken.map(({ id }) => id));
    await outbox.confirm(taken);
    taken = await outbox.take({ events: 7, bytes: 1e9 });
  }
  expect(ids).toEqual(Array.from({ length: 10_000 }, (_, index) => String(index + 1)));
});
