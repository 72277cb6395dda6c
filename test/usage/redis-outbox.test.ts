import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { redisOutbox } from "../../src/usage/redis.ts";
import { hasRedis, startRedis } from "../support/redis-server.ts";
import { ALL, idsOf, numbers, opener, outboxChecks, outboxEvents } from "./outbox-checks.ts";
import { connect, KEY, kindsOfClients, opened, rejected } from "./redis-clients.ts";

/** Makes a server the only node of a cluster. */
async function formCluster(url: string): Promise<void> {
  const node = await connect(url);
  await node.sendCommand(["CLUSTER", "ADDSLOTSRANGE", "0", "16383"]);
  await expect.poll(() => node.clusterInfo()).toContain("cluster_state:ok");
}

describe.runIf(hasRedis)("redisOutbox passes every check", () => {
  it.each(Object.entries(kindsOfClients))("with %s", async (kind, open) => {
    const isCluster = kind.startsWith("createCluster");
    const { url } = await startRedis(...(isCluster ? ["--cluster-enabled", "yes"] : []));
    if (isCluster) await formCluster(url);
    const client = await open(url);
    onTestFinished(() => client.destroy());
    for (const [index, { run }] of outboxChecks.entries()) {
      await run(opener(() => redisOutbox(client, { prefix: `check-${index}`, leaseDuration: 1_000 })));
    }
  });
});

describe.runIf(hasRedis)("redisOutbox", () => {
  it("uses one key with the prefix in braces", async () => {
    const { client, outbox, open } = await opened();
    await outbox.append(outboxEvents(["1"]));
    await open({ prefix: "acme" }).append(outboxEvents(["2"]));
    await outbox.take(ALL);
    expect((await client.keys("*")).sort()).toEqual(["{acme}:events", KEY]);
    expect((await outbox.state()).events).toBe(1);
  });

  it("stays open for other uses of the client when it is closed", async () => {
    const { client, outbox } = await opened();
    await outbox.take(ALL);
    await outbox.close();
    expect(await client.ping()).toBe("PONG");
  });

  it("rejects all events of an append beyond the capacity, and accepts them when others are confirmed", async () => {
    const { outbox } = await opened({ capacity: 5 });
    await outbox.append(outboxEvents(numbers(4)));
    const { reason, message } = await rejected(outbox.append(outboxEvents(["5", "6"])));
    expect({ reason, message }).toEqual({
      reason: "full",
      message: `redisOutbox: "${KEY}" holds 4 events (capacity 5), so 2 more were rejected. Check that a process is sending them, or raise \`capacity\``,
    });
    expect((await outbox.state()).events).toBe(4);
    await outbox.confirm(await outbox.take({ ...ALL, events: 1 }));
    await outbox.append(outboxEvents(["5", "6"]));
    expect(idsOf(await outbox.take(ALL))).toEqual(["2", "3", "4", "5", "6"]);
  });

  it("never exceeds the capacity when several clients append at a time", async () => {
    const { server, open } = await opened({ capacity: 100 });
    const outboxes = [open(), redisOutbox(await connect(server.url), { capacity: 100 })];
    const appends = numbers(40).flatMap((id) => outboxes.map((outbox) => outbox.append(outboxEvents([id, id, id]))));
    const results = await Promise.allSettled(appends);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(33);
    expect((await outboxes[0]?.state())?.events).toBe(99);
  });

  it("reads large events without exceeding the limit of bytes", async () => {
    const { outbox } = await opened();
    const events = [
      ...outboxEvents(numbers(30)),
      ...outboxEvents(["large"], "x".repeat(900_000)),
      ...outboxEvents(["last"]),
    ];
    await outbox.append(events);
    const limit = { events: 500, bytes: 500_000 };
    expect(idsOf(await outbox.take(limit))).toEqual(numbers(30));
    expect(idsOf(await outbox.take(limit))).toEqual(["large"]);
    expect(idsOf(await outbox.take(limit))).toEqual(["last"]);
  });

  it("finds an ended lease behind thousands of leases that others extend", async () => {
    const { outbox, open } = await opened({ leaseDuration: 1_500 });
    await outbox.append(outboxEvents(numbers(5_001)));
    const kept = await outbox.take({ ...ALL, events: 5_000 });
    const lost = idsOf(await open().take(ALL));
    const found = async () => {
      await outbox.extend?.(kept);
      return idsOf(await open().take(ALL));
    };
    expect(lost).toEqual(["5001"]);
    await expect.poll(found, { interval: 200 }).toEqual(lost);
  });

  it("does not restart or end leases that another object has claimed", async () => {
    const { outbox, open } = await opened();
    await outbox.append(outboxEvents(["1"]));
    const entries = await outbox.take(ALL);
    await sleep(150);
    const other = open({ leaseDuration: 100 });
    const claimed = await other.take(ALL);
    expect(idsOf(claimed)).toEqual(["1"]);
    await outbox.release(entries);
    expect(await outbox.take(ALL)).toEqual([]);
    await outbox.extend?.(entries);
    await other.release(claimed);
    expect(idsOf(await outbox.take(ALL))).toEqual(["1"]);
  });

  it("deletes its consumer when it is closed, and those of ended processes when another begins to take", async () => {
    const { client, outbox, open } = await opened({ leaseDuration: 100 });
    await outbox.append(outboxEvents(numbers(2)));
    await outbox.confirm(await outbox.take({ ...ALL, events: 1 }));
    await sleep(150);
    const other = open();
    expect(idsOf(await other.take(ALL))).toEqual(["2"]);
    expect(await client.xInfoConsumers(KEY, "shippers")).toMatchObject([{ pending: 1 }]);
    await other.close();
    expect(await client.xInfoConsumers(KEY, "shippers")).toMatchObject([{ name: "released", pending: 1 }]);
  });

  it("removes exactly the confirmed entries from the stream", async () => {
    const { client, outbox } = await opened();
    await outbox.append(outboxEvents(numbers(10)));
    const taken = await outbox.take({ ...ALL, events: 6 });
    await outbox.confirm(taken.filter((_, index) => index % 2 === 0));
    expect(await client.xLen(KEY)).toBe(7);
    expect((await client.xPending(KEY, "shippers")).pending).toBe(3);
  });

  it("continues after all data of Redis was deleted", async () => {
    const { client, outbox } = await opened();
    await outbox.append(outboxEvents(["1", "2"]));
    const taken = await outbox.take(ALL);
    await client.flushAll();
    await outbox.extend?.(taken);
    await outbox.release(taken);
    await outbox.confirm(taken);
    await outbox.append(outboxEvents(["3"]));
    expect(idsOf(await outbox.take(ALL))).toEqual(["3"]);
    await client.flushAll();
    await outbox.close();
  });
});
