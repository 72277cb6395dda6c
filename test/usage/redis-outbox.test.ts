import { spawn } from "node:child_process";
import { once } from "node:events";
import { inspect } from "node:util";
import { createClient } from "redis";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { redisOutbox } from "../../src/usage/redis.ts";
import { patient } from "../fuzz/parameters.ts";
import { hasRedis, startRedis } from "../support/database-servers.ts";
import { ALL, followsModel, idsOf, numbers, outboxEvents } from "./outbox-model.ts";
import { connect, kindsOfClients, opened, QUEUE } from "./redis-clients.ts";
import { buffered, eventsOf } from "./service.ts";

type RedisClient = Awaited<ReturnType<typeof connect>>;

/** Makes a server the only node of a cluster. */
async function formCluster(url: string): Promise<void> {
  const node = await connect(url);
  await node.sendCommand(["CLUSTER", "ADDSLOTSRANGE", "0", "16383"]);
  await expect.poll(() => node.clusterInfo()).toContain("cluster_state:ok");
}

it.runIf(hasRedis).each(Object.entries(kindsOfClients))(
  "redisOutbox with %s returns, keeps and removes events as the model does",
  async (kind, connected) => {
    const isCluster = kind.startsWith("createCluster");
    const { url } = await startRedis(isCluster ? ["--cluster-enabled", "yes"] : []);
    if (isCluster) await formCluster(url);
    const client = await connected(url);
    onTestFinished(() => client.destroy());
    const open = (prefix = "") => redisOutbox(client, { prefix });
    await followsModel({ durable: true, shared: true, open }, 8);
  },
  patient.timeout,
);

/** Lets a minute pass for the leases of all events. */
async function age(client: RedisClient): Promise<void> {
  for (const { value, score } of await client.zRangeByScoreWithScores(QUEUE, 1, "+inf"))
    await client.zAdd(QUEUE, { value, score: score - 60_000 });
}

describe.runIf(hasRedis)("redisOutbox", () => {
  it("uses keys with the prefix in braces", async () => {
    const { client, outbox, open } = await opened();
    await open({ prefix: "acme" }).append(outboxEvents(["2"]));
    await outbox.take(ALL);
    expect((await client.keys("*")).sort()).toEqual(["{acme}:events", "{acme}:last", "{acme}:queue"]);
    expect((await outbox.state()).events).toBe(0);
  });

  it("does not restart or end leases that another object has claimed", async () => {
    const { client, outbox, open } = await opened();
    await outbox.append(outboxEvents(["1"]));
    const events = await outbox.take(ALL);
    await age(client);
    const other = open();
    const claimed = await other.take(ALL);
    expect(idsOf(claimed)).toEqual(["1"]);
    await outbox.release(events);
    expect(await outbox.take(ALL)).toEqual([]);
    await outbox.extend?.(events);
    await other.release(claimed);
    expect(idsOf(await outbox.take(ALL))).toEqual(["1"]);
  });

  it("extends its leases", async () => {
    const { client, outbox, open } = await opened();
    await outbox.append(outboxEvents(["1"]));
    const events = await outbox.take(ALL);
    await age(client);
    await outbox.extend?.(events);
    expect(await open().take(ALL)).toEqual([]);
  });

  it("continues after all data of Redis was deleted, or only the events or the queue", async () => {
    const { client, outbox } = await opened();
    await outbox.append(outboxEvents(["1", "2"]));
    const taken = await outbox.take(ALL);
    await client.flushAll();
    await outbox.extend?.(taken);
    await outbox.release(taken);
    await outbox.confirm(taken);
    await outbox.append(outboxEvents(["3"]));
    await client.del("{billing-usage}:events");
    await outbox.append(outboxEvents(["4"]));
    expect(idsOf(await outbox.take(ALL))).toEqual(["4"]);
    await client.del(QUEUE);
    await outbox.append(outboxEvents(["5"]));
    expect(idsOf(await outbox.take(ALL))).toEqual(["4", "5"]);
    await client.flushAll();
    await outbox.close();
  });
});

describe.runIf(hasRedis)("redisOutbox reports", () => {
  type Arrange = (client: RedisClient) => Promise<unknown>;
  const forbid: Arrange = (client) => client.sendCommand(["ACL", "SETUSER", "default", "-eval"]);
  const lock: Arrange = async (client) => {
    await client.configSet("requirepass", "s3cret-of-redis");
    await client.sendCommand(["RESET"]);
  };

  it.each<[what: string, reason: string, advice: string, arrange: Arrange]>([
    ["a key of another type", "foreign", "Choose another `prefix`.", (client) => client.set(QUEUE, "text")],
    ["a missing permission", "unavailable", "NOPERM", forbid],
    ["a missing password", "unavailable", "NOAUTH", lock],
  ])("%s", async (_, reason, advice, arrange) => {
    const { client, outbox } = await opened();
    await arrange(client);
    for (const call of [outbox.append(outboxEvents(["1"])), outbox.state()]) {
      await expect(call).rejects.toMatchObject({ reason, message: expect.stringContaining(advice) });
    }
  });

  it("a Redis without free memory as full, and still takes and confirms events", async () => {
    const { client, outbox, open } = await opened();
    await outbox.append(outboxEvents(numbers(3)));
    await outbox.confirm(await outbox.take({ ...ALL, events: 1 }));
    await client.configSet("maxmemory", "1");
    const message = expect.stringContaining("Raise `maxmemory`");
    await expect(outbox.append(outboxEvents(["4"]))).rejects.toMatchObject({ reason: "full", message });
    const other = open();
    await other.confirm(await other.take(ALL));
    await other.close();
    expect((await outbox.state()).events).toBe(0);
  });

  it("a lost connection at once, without the password, and works again after it", async () => {
    const server = await startRedis();
    const admin = await connect(server.url);
    await admin.configSet("requirepass", "s3cret-of-redis");
    const client = await connect(server.url.replace("//", "//:s3cret-of-redis@"));
    const outbox = redisOutbox(client);
    await outbox.append(outboxEvents(["1"]));
    const restarting = server.restart();
    await expect.poll(() => client.isReady).toBe(false);
    const error = await outbox.append(outboxEvents(["2"])).catch((reason) => reason);
    const message = `redisOutbox: append of "billing-usage" failed: the client lost its connection and is reconnecting`;
    expect(error).toMatchObject({ reason: "unavailable", message });
    expect(inspect([error, outbox], { depth: 9, showHidden: true })).not.toContain("s3cret");
    await restarting;
    await expect.poll(() => client.isReady).toBe(true);
    expect(idsOf(await outbox.take(ALL))).toEqual(["1"]);
  });

  it("an error whose text contains a URL with a password, without the password", async () => {
    const client = {
      isOpen: true,
      listenerCount: () => 1,
      eval: () => Promise.reject(new Error("cannot reach redis://app:s3cret@redis.example:6379")),
    };
    const error = await redisOutbox(client)
      .append(outboxEvents(["1"]))
      .catch((reason) => reason);
    expect(error.message).toContain("cannot reach redis://redis.example:6379");
    expect(inspect(error)).not.toContain("s3cret");
  });

  it("a client that is not connected", async () => {
    const outbox = redisOutbox(createClient().on("error", () => undefined));
    const message = expect.stringContaining("the client is not connected. Call its `connect` first");
    await expect(outbox.append(outboxEvents(["1"]))).rejects.toMatchObject({ reason: "unavailable", message });
  });
});

describe.runIf(hasRedis)("a buffer with redisOutbox", () => {
  it("claims the events of a process that died in full batches, also beside an entry of another program", async () => {
    const { client, outbox: dead, open } = await opened({ pollInterval: 20 });
    await dead.append(outboxEvents(numbers(600)));
    await dead.take({ events: 600, bytes: 1e9 });
    await age(client);
    await client.zAdd(QUEUE, { value: "9".repeat(25), score: 0 });
    await client.hSet(QUEUE.replace("queue", "events"), "9".repeat(25), '{"name":"foreign"}');
    const { add, batches, ids, rejected, usage } = buffered({ outbox: open(), maxBatchEvents: 300, concurrency: 1 });
    await add(2);
    await usage.flush();
    expect(batches().slice(0, 2)).toEqual([300, 300]);
    expect([ids().length, rejected().length]).toEqual([602, 1]);
  });

  it("sends events of other processes, and of a process that died with a lease", async () => {
    const { client, outbox: dead, open } = await opened({ pollInterval: 20 });
    await dead.append(outboxEvents(numbers(20)));
    await dead.take({ ...ALL, events: 10 });
    const { mock, usage } = buffered({ outbox: open(), maxDelay: 60_000 });
    await expect.poll(() => mock.events.size).toBe(10);
    await age(client);
    await expect.poll(() => usage.stats()).toMatchObject({ queued: 0, sent: 20, duplicates: 0 });
    expect(mock.events.size).toBe(20);
  });

  it("warns at its start about a Redis that may lose events, and with requireDurable adds none", async () => {
    const { client, open } = await opened();
    const warn = vi.fn();
    const options = { logger: { debug: () => {}, warn }, logLevel: "warn" } as const;
    await buffered({ ...options, outbox: open() }).usage.flush();
    expect(warn).not.toHaveBeenCalled();
    await client.configSet("maxmemory-policy", "allkeys-lru");
    await client.configSet("appendonly", "no");
    const { usage } = buffered({ ...options, outbox: open() });
    const evicted = "deletes them when its memory is full (maxmemory-policy allkeys-lru; set noeviction)";
    const dangers = `redisOutbox: Redis may lose events: it ${evicted}, and loses them when it restarts (set appendonly yes)`;
    await expect.poll(() => warn.mock.calls).toEqual([[`${dangers}.`]]);
    await usage.add(eventsOf(1)[0]!);
    await usage.flush();
    const { add } = buffered({ outbox: open({ requireDurable: true }) });
    await expect(add(1, 2)).rejects.toMatchObject({ reason: "unsupported", message: expect.stringContaining(dangers) });
    await client.configSet("maxmemory-policy", "noeviction");
    await client.configSet("appendonly", "yes");
    await add(1, 2);
  });

  it("takes at once what a call leases after it was given up", async () => {
    const [stall, ran] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { client } = await opened();
    let takes = 0;
    const evaluate = async (script: string, options: never) => {
      if (!script.includes("max_events") || ++takes > 1) return client.eval(script, options);
      await stall.promise;
      return client.eval(script, options).finally(ran.resolve);
    };
    const outbox = redisOutbox(Object.assign(Object.create(client), { eval: evaluate }));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const failed = expect(outbox.take(ALL)).rejects.toMatchObject({ reason: "unavailable" });
    await vi.advanceTimersByTimeAsync(5_000);
    await failed;
    expect(await outbox.take(ALL)).toEqual([]);
    await outbox.append(outboxEvents(numbers(3)));
    stall.resolve();
    await ran.promise;
    await new Promise(setImmediate);
    expect(idsOf(await outbox.take(ALL))).toEqual(numbers(3));
  });

  it("lets a process end while Redis is frozen, as the guide shuts it down", async () => {
    const server = await startRedis();
    const program = `
      import { createClient as createRedisClient } from "redis";
      import { createEventBuffer } from "./src/usage/index.ts";
      import { redisOutbox } from "./src/usage/redis.ts";
      const redis = createRedisClient({ url: "${server.url}" });
      redis.on("error", () => {});
      await redis.connect();
      const ingest = async ({ length }) => ({ inserted: length, duplicates: 0 });
      const usage = createEventBuffer({ events: { ingest } }, { outbox: redisOutbox(redis), logLevel: "off" });
      await usage.add({ name: "api.call" });
      await usage.flush();
      process.once("SIGTERM", async () => {
        try {
          await usage.close({ timeout: 100 });
          await redis.close();
        } catch (error) {
          console.log(error.reason);
          redis.destroy();
        }
      });
      console.log("ready");`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const printed: string[] = [];
    child.stdout.on("data", (text) => printed.push(String(text).trim()));
    await expect.poll(() => printed).toEqual(["ready"]);
    server.freeze();
    child.kill("SIGTERM");
    await once(child, "exit");
    expect([child.exitCode, printed]).toEqual([0, ["ready", "unavailable"]]);
  });

  it("notices how many events are queued by other processes", async () => {
    const { outbox: other, open } = await opened({ pollInterval: 20 });
    const outbox = open();
    const { add, mock, usage } = buffered({ outbox, maxQueued: 10 });
    // The client sends both at once, so that the buffer cannot take the events.
    const [, taken] = await Promise.all([other.append(outboxEvents(numbers(10))), other.take(ALL)]);
    const look = vi.spyOn(outbox, "state");
    await expect.poll(() => look.mock.settledResults[0]?.type).toBe("fulfilled");
    await expect(add(1, 11)).rejects.toMatchObject({ reason: "full" });
    await other.confirm(taken);
    await expect.poll(() => add(1, 11).catch(({ reason }) => reason)).toBeUndefined();
    await usage.flush();
    expect(mock.events.size).toBe(1);
  });
});
