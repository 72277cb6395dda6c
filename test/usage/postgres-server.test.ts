import pg from "pg";
import postgres from "postgres";
import { expect, it, onTestFinished } from "vitest";
import { type PostgresClient, postgresSeenStore, seenTableSql } from "../../src/usage/postgres.ts";
import { patient } from "../fuzz/parameters.ts";
import { hasPostgres, startPostgres } from "../support/database-servers.ts";
import { followsModel, outboxEvents } from "./outbox-model.ts";
import { postgresStorage } from "./outboxes.ts";

/** The drivers that the outbox accepts, beside PGlite, with which the other tests run. */
const drivers: Readonly<Record<string, (url: string) => PostgresClient>> = {
  pg: (url) => {
    const pool = new pg.Pool({ connectionString: url }).on("error", () => undefined);
    onTestFinished(() => pool.end());
    return pool;
  },
  postgres: (url) => {
    const sql = postgres(url, { onnotice: () => undefined });
    onTestFinished(() => sql.end());
    return { query: (text, values) => sql.unsafe(text, values) };
  },
};

it.runIf(hasPostgres).each(Object.entries(drivers))(
  "postgresOutbox with %s returns, keeps and removes events as the model does, on a server",
  async (_, connect) => {
    const client = connect((await startPostgres()).url);
    await followsModel(await postgresStorage(client, (name) => name.replace(/\W/g, "_")), 15);
    await client.query(seenTableSql(), []);
    const seen = postgresSeenStore(client);
    expect(await Promise.all([1, 2].map(() => seen.add("a", "1", 1_000)))).toEqual(
      expect.arrayContaining([true, false]),
    );
  },
  patient.timeout,
);

it.runIf(hasPostgres)("postgresOutbox reports a server that is down, and works again after it", async () => {
  const server = await startPostgres();
  const client = drivers["pg"]?.(server.url) as PostgresClient;
  const outbox = (await postgresStorage(client, () => "usage")).open();
  await outbox.append(outboxEvents(["1"]));
  const restarting = server.restart();
  await expect.poll(() => outbox.state().catch(({ reason }) => reason), { interval: 1 }).toBe("unavailable");
  await restarting;
  await expect.poll(() => outbox.state().catch(() => undefined)).toMatchObject({ events: 1 });
});
