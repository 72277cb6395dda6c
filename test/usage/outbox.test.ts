import { join } from "node:path";
import { expect, it } from "vitest";
import { memoryOutbox } from "../../src/usage/index.ts";
import { sqliteOutbox } from "../../src/usage/sqlite.ts";
import { patient } from "../fuzz/parameters.ts";
import { newFolder } from "../support/new-folder.ts";
import { followsModel, idsOf, numbers, outboxEvents } from "./outbox-model.ts";
import { type Storage, storages } from "./outboxes.ts";

const powerLoss = (): Storage => {
  const folder = newFolder();
  const open = (name?: string) => sqliteOutbox(join(folder, `${name}.db`), { survivesPowerLoss: true });
  return { durable: true, shared: false, open };
};

// Redis has a test of its own, with every kind of client.
const { Redis: _, ...others } = storages;

it.each([...Object.entries(others), ["SQLite with survivesPowerLoss", powerLoss] as const])(
  "an outbox in %s returns, keeps and removes events as the model does",
  async (kind, create) => followsModel(await create(), kind.startsWith("SQLite") ? 40 : 100),
  patient.timeout,
);
it("memoryOutbox keeps the order of many events that are taken, released and confirmed", async () => {
  const outbox = memoryOutbox();
  await outbox.append(outboxEvents(numbers(1_000)));
  const take = () => outbox.take({ events: 7, bytes: 1e9 });
  const ids: string[] = [];
  while (ids.length < 1_000) {
    await outbox.release(await take());
    const taken = await take();
    ids.push(...idsOf(taken));
    await outbox.confirm(taken);
  }
  expect(ids).toEqual(numbers(1_000));
});
