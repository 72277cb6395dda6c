import { inspect } from "node:util";
import { createClient } from "redis";
import { describe, expect, it } from "vitest";
import { redisOutbox } from "../../src/usage/redis.ts";
import { hasRedis, startRedis } from "../support/redis-server.ts";
import { ALL, idsOf, numbers, outboxEvents } from "./outbox-checks.ts";
import { connect, KEY, opened, rejected } from "./redis-clients.ts";

describe.runIf(hasRedis)("redisOutbox reports", () => {
  it("a key of another type as foreign", async () => {
    const { client, outbox } = await opened();
    await client.set(KEY, "text");
    for (const call of [outbox.append(outboxEvents(["1"])), outbox.take(ALL), outbox.state()]) {
      const { reason, message } = await rejected(call);
      expect(reason).toBe("foreign");
      expect(message).toContain("Another program uses the key. Choose another `prefix`.");
    }
  });

  it("an entry that another program wrote, after the events before it", async () => {
    const { client, outbox } = await opened();
    await outbox.append(outboxEvents(["1", "2"]));
    const foreign = await client.xAdd(KEY, "*", { temperature: "21" });
    await outbox.append(outboxEvents(["3"]));
    expect(idsOf(await outbox.take(ALL))).toEqual(["1", "2"]);
    const { reason, message } = await rejected(outbox.take(ALL));
    expect(reason).toBe("foreign");
    expect(message).toContain(`entry ${foreign}`);
    await client.xDel(KEY, foreign);
    expect(idsOf(await outbox.take(ALL))).toEqual(["3"]);
  });

  it("a Redis without free memory as full, and still takes and confirms events", async () => {
    const { client, outbox, open } = await opened();
    await outbox.append(outboxEvents(numbers(3)));
    await outbox.confirm(await outbox.take({ ...ALL, events: 1 }));
    await client.configSet("maxmemory", "1");
    const { reason, message } = await rejected(outbox.append(outboxEvents(["4"])));
    expect({ reason, message }).toEqual({ reason: "full", message: expect.stringContaining("Raise `maxmemory`") });
    const other = open();
    await other.confirm(await other.take(ALL));
    await other.close();
    expect((await outbox.state()).events).toBe(0);
  });

  it("a missing permission", async () => {
    const { client, outbox } = await opened();
    await client.sendCommand(["ACL", "SETUSER", "default", "-eval"]);
    const { reason, message } = await rejected(outbox.append(outboxEvents(["1"])));
    expect(reason).toBe("unavailable");
    expect(message).toContain("Allow the Redis user to run EVAL and the stream commands.");
  });

  it("a missing password", async () => {
    const { client, outbox } = await opened();
    await client.configSet("requirepass", "s3cret-of-redis");
    await client.sendCommand(["RESET"]); // logs the connection out
    const { reason, message } = await rejected(outbox.append(outboxEvents(["1"])));
    expect(reason).toBe("unavailable");
    expect(message).toContain("NOAUTH");
    expect(message).toContain("Check the user name and the password of the Redis client.");
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
    const error = await rejected(outbox.append(outboxEvents(["2"])));
    expect(error.reason).toBe("unavailable");
    expect(error.message).toBe(
      `redisOutbox: append of "${KEY}" failed: the client lost its connection and is reconnecting`,
    );
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
    const error = await rejected(redisOutbox(client).append(outboxEvents(["1"])));
    expect(error.message).toContain("cannot reach redis://redis.example:6379");
    expect(inspect(error)).not.toContain("s3cret");
  });

  it("a client that is not connected", async () => {
    const outbox = redisOutbox(createClient().on("error", () => undefined));
    const { reason, message } = await rejected(outbox.append(outboxEvents(["1"])));
    expect(reason).toBe("unavailable");
    expect(message).toContain("the client is not connected. Call its `connect` first");
  });

  it("calls after close", async () => {
    const outbox = redisOutbox(createClient().on("error", () => undefined));
    await outbox.close();
    const calls = [outbox.append([]), outbox.take(ALL), outbox.extend?.([]), outbox.confirm([]), outbox.release([])];
    for (const call of [...calls, outbox.state()]) expect((await rejected(call as never)).reason).toBe("closed");
  });
});

describe("redisOutbox rejects", () => {
  const client = createClient().on("error", () => undefined);

  it.each<[problem: string, client: unknown, options: unknown]>([
    ['client must be a client of the "redis" package; received string', "redis://localhost", {}],
    ['client must be a client of the "redis" package; received object', {}, {}],
    ['client has no listener for "error", so a lost connection would end the process', createClient(), {}],
    ["options must be an object; received null", client, null],
    ['unknown option "prefx". Did you mean "prefix"?', client, { prefx: "a" }],
    ['prefix must be a string of 1 to 200 characters without braces; received ""', client, { prefix: "" }],
    ['prefix must be a string of 1 to 200 characters without braces; received "{a}"', client, { prefix: "{a}" }],
    ["capacity must be an integer from 1 to 9007199254740991; received 0", client, { capacity: 0 }],
    ["leaseDuration must be an integer from 100 to 2147483647; received 99", client, { leaseDuration: 99 }],
    ['pollInterval must be an integer from 10 to 2147483647; received "1s"', client, { pollInterval: "1s" }],
  ])("%s", (problem, given, options) => {
    expect(() => redisOutbox(given as never, options as never)).toThrow(`redisOutbox: ${problem}`);
  });

  it("accepts undefined options", () => {
    expect(redisOutbox(client, { prefix: undefined, leaseDuration: undefined })).toMatchObject({
      leaseDuration: 30_000,
      pollInterval: 1_000,
    });
  });
});
