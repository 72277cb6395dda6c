import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { memoryOutbox, type Outbox, type OutboxEntry, OutboxError } from "../../src/usage/index.ts";
import { redisOutbox } from "../../src/usage/redis.ts";
import { sqliteOutbox } from "../../src/usage/sqlite.ts";
import { hasRedis, startRedis } from "../support/redis-server.ts";
import { connect } from "./redis-clients.ts";

/** A place for events. */
export interface Storage {
  /** Whether events outlive an outbox. */
  readonly durable: boolean;
  /** Whether several outboxes may be open at a time. */
  readonly shared: boolean;
  /** Opens an outbox; with the same name, for the same events. */
  open(name?: string): Outbox;
}

/** Creates an empty storage of each kind; Redis only if it is installed. */
export const storages: Readonly<Record<string, () => Storage | Promise<Storage>>> = {
  memory: () => ({ durable: false, shared: false, open: memoryOutbox }),
  SQLite: () => {
    const folder = newFolder();
    return { durable: true, shared: false, open: (name = "usage") => sqliteOutbox(join(folder, `${name}.db`)) };
  },
  "a shared outbox": () => {
    const stores: Record<string, ReturnType<typeof sharedStore>> = {};
    const open = (name = "usage") => {
      stores[name] ??= sharedStore();
      return stores[name](60_000);
    };
    return { durable: true, shared: true, open };
  },
  ...(hasRedis ? { Redis: redisStorage } : {}),
};

async function redisStorage(): Promise<Storage> {
  const { url } = await startRedis();
  const client = await connect(url);
  const open = (prefix = "usage") => redisOutbox(client, { prefix, pollInterval: 10, leaseDuration: 5_000 });
  return { durable: true, shared: true, open };
}

/** Creates a folder that is removed when the test ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "usage-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns a function that opens outboxes for the same events in memory, as a server would for several processes. */
export function sharedStore(): (leaseDuration: number) => Outbox {
  const store = memoryOutbox();
  const leases = new Map<OutboxEntry, readonly [owner: Outbox, until: number]>();
  const end = async (entries: readonly OutboxEntry[]) => {
    for (const entry of entries) leases.delete(entry);
    await store.release(entries);
  };
  return (leaseDuration) => {
    let isClosed = false;
    const open = (): Outbox => {
      if (isClosed) throw new OutboxError("closed", "the outbox is closed");
      return store;
    };
    const ownOf = (entries: Iterable<OutboxEntry>) => [...entries].filter((entry) => leases.get(entry)?.[0] === outbox);
    const lease = (entries: readonly OutboxEntry[]) => {
      for (const entry of entries) leases.set(entry, [outbox, Date.now() + leaseDuration]);
    };
    const outbox: Outbox = {
      durable: true,
      leaseDuration,
      pollInterval: 20,
      append: async (events) => open().append(events),
      take: async (limit) => {
        await end([...leases].filter(([, [, until]]) => until <= Date.now()).map(([entry]) => entry));
        const entries = await open().take(limit);
        lease(entries);
        return entries;
      },
      extend: async (entries) => lease(ownOf(entries)),
      confirm: async (entries) => {
        for (const entry of entries) leases.delete(entry);
        await open().confirm(entries);
      },
      release: async (entries) => {
        open();
        await end(ownOf(entries));
      },
      state: async () => open().state(),
      close: async () => {
        isClosed = true;
        await end(ownOf(leases.keys()));
      },
    };
    return outbox;
  };
}
