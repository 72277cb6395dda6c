import { join } from "node:path";
import { it } from "vitest";
import { sqliteOutbox } from "../../src/usage/sqlite.ts";
import { patient } from "../fuzz/parameters.ts";
import { newFolder } from "../support/new-folder.ts";
import { followsModel } from "./outbox-model.ts";
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
  async (kind, create) => followsModel(await create(), { memory: 100, Postgres: 15 }[kind] ?? 40),
  patient.timeout,
);
