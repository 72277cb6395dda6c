import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { memoryOutbox, type Outbox } from "../../src/usage/index.ts";
import { redisOutbox } from "../../src/usage/redis.ts";
import { sqliteOutbox } from "../../src/usage/sqlite.ts";
import { hasRedis, startRedis } from "../support/redis-server.ts";
import { connect } from "./redis-clients.ts";
import { SharedOutbox } from "./shared-outbox.ts";

/** A place for events. `open` returns a new outbox over it, `durable` says whether events outlive one. */
export interface Storage {
  readonly durable: boolean;
  /** Whether several outboxes may be open at a time. */
  readonly shared: boolean;
  open(): Outbox;
}

/** Creates an empty storage of each kind; Redis only if it is installed. */
export const storages: Readonly<Record<string, () => Storage | Promise<Storage>>> = {
  memory: () => ({ durable: false, shared: false, open: memoryOutbox }),
  SQLite: () => {
    const path = join(newFolder(), "usage.db");
    return { durable: true, shared: false, open: () => sqliteOutbox(path) };
  },
  "a shared outbox": () => {
    const store: unknown[] = [];
    return {
      durable: true,
      shared: true,
      open: () => Object.assign(new SharedOutbox(store, 1_000), { durable: true }),
    };
  },
  ...(hasRedis ? { Redis: redisStorage } : {}),
};

async function redisStorage(): Promise<Storage> {
  const { url } = await startRedis();
  const client = await connect(url);
  return { durable: true, shared: true, open: () => redisOutbox(client, { pollInterval: 10, leaseDuration: 5_000 }) };
}

/** Creates a folder that is removed when the test ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "usage-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
