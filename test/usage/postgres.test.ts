import { expect, it, vi } from "vitest";
import { createWebhookHandler } from "#current/webhooks";
import { postgresOutbox, postgresSeenStore, seenTableSql, usageTableSql } from "../../src/usage/postgres.ts";
import { delivery, order, secret } from "../webhooks/signed.ts";
import { ALL, idsOf, outboxEvents } from "./outbox-model.ts";
import { postgresInProcess } from "./outboxes.ts";
import { buffered } from "./service.ts";

const database = postgresInProcess;

it("without its table, the outbox names the statement that creates it, and works after that", async () => {
  const outbox = postgresOutbox(database, { table: "public.later" });
  const message = `postgresOutbox: state of "public"."later" failed: relation "public.later" does not exist. Create it:\n${usageTableSql("public.later")}`;
  await expect(outbox.state()).rejects.toMatchObject({ name: "OutboxError", reason: "unavailable", message });
  await database.query(usageTableSql("public.later"));
  await database.query(usageTableSql("public.later"));
  expect(await outbox.state()).toEqual({ events: 0, oldest: undefined });
});

it("sends an event that a transaction of the app inserted", async () => {
  await database.query(usageTableSql());
  const { mock, usage } = buffered({ outbox: postgresOutbox(database, { pollInterval: 10 }) });
  await usage.flush();
  await database.transaction(async (transaction) => {
    for (const { json } of outboxEvents(["1"]))
      await transaction.query("INSERT INTO billing_usage_events (json) VALUES ($1)", [json]);
  });
  await expect.poll(() => mock.events.list()).toMatchObject([{ external_id: "1" }]);
});

it("claims the events of a process that died, when their lease ends", async () => {
  await database.query(usageTableSql("orphans"));
  const open = (leaseDuration = 30_000) => postgresOutbox(database, { table: "orphans", leaseDuration });
  const [dead, other] = [open(), open()];
  await dead.append(outboxEvents(["1"]));
  const events = await dead.take(ALL);
  expect(await other.take(ALL)).toEqual([]);
  await database.query("UPDATE orphans SET leased_until = now()");
  await dead.extend?.(events);
  expect(await other.take(ALL)).toEqual([]);
  await database.query("UPDATE orphans SET leased_until = now()");
  expect(idsOf(await other.take(ALL))).toEqual(["1"]);
  await dead.release(events);
  expect(await open().take(ALL)).toEqual([]);
});

it("takes at once what a call has leased whose reply was lost", async () => {
  await database.query(usageTableSql("lost"));
  const query = vi.fn((text: string, values: unknown[]) => database.query(text, values));
  const outbox = postgresOutbox({ query }, { table: "lost" });
  await outbox.append(outboxEvents(["1"]));
  query.mockImplementationOnce(async (text, values) => {
    await database.query(text, values);
    throw new Error("Connection terminated unexpectedly");
  });
  await expect(outbox.take(ALL)).rejects.toMatchObject({ reason: "unavailable" });
  expect(idsOf(await outbox.take(ALL))).toEqual(["1"]);
  expect(await outbox.take(ALL)).toEqual([]);
});

it("a webhook handler with postgresSeenStore handles an event once, and again after its time", async () => {
  await database.query(seenTableSql());
  const seen = postgresSeenStore(database);
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = vi.fn(() => promise);
  const handle = createWebhookHandler({ secret, on: { "*": run }, seen });
  const deliver = async (id: string) => (await handle(await delivery({ ...order, id }))).status;
  const running = deliver("evt_1");
  await expect.poll(() => run).toHaveBeenCalledOnce();
  expect(await deliver("evt_1")).toBe(409);
  resolve();
  expect([await running, await deliver("evt_1"), await deliver("evt_2")]).toEqual([204, 204, 204]);
  expect(run).toHaveBeenCalledTimes(2);
  await database.query("UPDATE billing_webhooks_seen SET expires_at = now()");
  expect(await deliver("evt_1")).toBe(204);
  expect(run).toHaveBeenCalledTimes(3);
  // The key of the other event has expired, and is deleted.
  const { rows } = await database.query("SELECT key FROM billing_webhooks_seen");
  expect(rows).toHaveLength(1);
});

it("postgresSeenStore forgets a key that is deleted, and adds it only once", async () => {
  await database.query(seenTableSql("seen"));
  const seen = postgresSeenStore(database, { table: "seen" });
  const added = await Promise.all([1, 2, 3].map((value) => seen.add("a", String(value), 1_000)));
  expect(added).toEqual([true, false, false]);
  expect(await seen.get("a")).toBe("1");
  await seen.set("a", "4", 1_000);
  expect(await seen.get("a")).toBe("4");
  await seen.delete("a");
  expect(await seen.get("a")).toBeUndefined();
});
