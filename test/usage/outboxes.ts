import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { memoryOutbox, type Outbox } from "../../src/usage/index.ts";
import { type PostgresClient, postgresOutbox, usageTableSql } from "../../src/usage/postgres.ts";
import { redisOutbox } from "../../src/usage/redis.ts";
import { sqliteOutbox } from "../../src/usage/sqlite.ts";
import { hasRedis, startRedis } from "../support/database-servers.ts";
import { newFolder } from "../support/new-folder.ts";
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
  ...(hasRedis ? { Redis: redisStorage } : {}),
  Postgres: async () => {
    const database = postgresInProcess;
    const prefix = `t_${crypto.randomUUID().replaceAll("-", "")}`;
    return postgresStorage(database, (name) => `${prefix}_${name.replace(/\W/g, "_")}`);
  },
};

/** Postgres in this process, which the tests of a file share. It starts before the first of them, whose time is limited. */
export const postgresInProcess: PGlite = await PGlite.create();

/** Creates a storage in tables of a database. */
export async function postgresStorage(client: PostgresClient, tableOf: (name: string) => string): Promise<Storage> {
  const tables = new Map<string, Promise<unknown>>();
  const open = (name = "usage"): Outbox => {
    const table = tableOf(name);
    const created = tables.get(table) ?? Promise.resolve(client.query(usageTableSql(table), []));
    tables.set(table, created);
    const query = (text: string, values: unknown[]) => created.then(() => client.query(text, values));
    return postgresOutbox({ query }, { table, pollInterval: 10, leaseDuration: 5_000 });
  };
  return { durable: true, shared: true, open };
}

async function redisStorage(): Promise<Storage> {
  const { url } = await startRedis();
  const client = await connect(url);
  const open = (prefix = "usage") => redisOutbox(client, { prefix, pollInterval: 10, leaseDuration: 5_000 });
  return { durable: true, shared: true, open };
}
