import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { createClient as createRedisClient } from "redis";
import { expect, it, onTestFinished } from "vitest";
import { createEventBuffer, ingestAll } from "../../src/usage/index.ts";
import { redisOutbox } from "../../src/usage/redis.ts";
import { sqliteOutbox } from "../../src/usage/sqlite.ts";
import { buffered, outboxWith, service } from "./service.ts";

const { billing } = service();
const taken = outboxWith();
createEventBuffer(billing, { outbox: taken });
const redis = createRedisClient().on("error", () => undefined);

/** The functions that check their arguments, by the name that their errors begin with. */
const functions = {
  createEventBuffer: (options: unknown, client: unknown = billing) =>
    createEventBuffer(client as never, options as object),
  ingestAll: (options: unknown, events: unknown = []) => ingestAll(billing, events as never, options as object),
  flush: (options: unknown) => buffered().usage.flush(options as object),
  close: (options: unknown) => buffered().usage.close(options as object),
  sqliteOutbox: (options: unknown, path: unknown = "x.db") => sqliteOutbox(path as string, options as object),
  redisOutbox: (options: unknown, client: unknown = redis) => redisOutbox(client as never, options as object),
};

const NO_CLIENT = "client must be a client, as returned by createClient";
const NO_REDIS = 'client must be a client of the "redis" package, version 5 or 6 (not "ioredis")';

it.each<[caller: keyof typeof functions, problem: string, options: unknown, first?: unknown]>([
  ["createEventBuffer", 'unknown option "maxBatchEvent"; expected one of: ', { maxBatchEvent: 5 }],
  ["createEventBuffer", "maxBatchEvents must be an integer from 1 to 10000; received 0", { maxBatchEvents: 0 }],
  ["createEventBuffer", "requestsPerSecond must be a number above 0; received 0", { requestsPerSecond: 0 }],
  ["createEventBuffer", "outbox.append must be a function; received undefined", { outbox: {} }],
  ["createEventBuffer", "outbox belongs to another buffer; create one for each", { outbox: taken }],
  ["createEventBuffer", "outbox.pollInterval must be an integer from 1", { outbox: outboxWith({ pollInterval: 0 }) }],
  ["createEventBuffer", "outbox.extend must be a function", { outbox: outboxWith({ leaseDuration: 5 }) }],
  ["createEventBuffer", NO_CLIENT, {}, null],
  ["ingestAll", "events must be an iterable or async iterable of events; received number", {}, 7],
  ["ingestAll", "concurrency must be an integer from 1 to 100; received 0", { concurrency: 0 }],
  ["ingestAll", "onProgress must be a function; received number", { onProgress: 1 }],
  ["flush", 'unknown option "timout"; expected one of: ', { timout: 2_000 }],
  ["close", "options must be an object; received null", null],
  ["sqliteOutbox", 'path must be the path of a file; received ":memory:"', {}, ":memory:"],
  ["sqliteOutbox", 'unknown option "survivePowerLoss"; expected one of: ', { survivePowerLoss: true }],
  ["sqliteOutbox", `${resolve("no/u.db")}: it cannot be opened; its folder must exist`, {}, "no/u.db"],
  ["redisOutbox", NO_REDIS, {}, { listenerCount: () => 1 }],
  ["redisOutbox", 'client has no listener for "error", so a lost', {}, createRedisClient()],
  ["redisOutbox", "prefix must be a string of 1 to 200 characters without braces", { prefix: "{a}" }],
])("%s rejects: %s", async (caller, problem, options, ...first) => {
  onTestFinished(() => rmSync("x.db", { force: true }));
  await expect((async () => functions[caller](options, ...first))()).rejects.toThrow(`${caller}: ${problem}`);
});
