/**
 * An outbox in Redis, for several machines.
 *
 * @module usage/redis
 */

import { Checks } from "../errors/checks.ts";
import { asError, describeValue } from "../values/describe.ts";
import {
  type NewOutboxEvent,
  type Outbox,
  OutboxError,
  type OutboxErrorReason,
  type OutboxEvent,
  type OutboxState,
  type TakeLimit,
} from "./outbox.ts";
import { type LeaseSettings, readLeases, SharedOutbox, type SharedStorage } from "./shared-outbox.ts";

/** Options for `redisOutbox`. Use the same in every process that shares the outbox. */
export interface RedisOutboxOptions {
  /** The keys begin with `{<prefix>}:`. Processes with the same prefix share the outbox. Defaults to `billing-usage`. */
  readonly prefix?: string | undefined;
  /** Time after which other buffers claim events whose lease was not extended, in milliseconds. Defaults to 30,000. */
  readonly leaseDuration?: number | undefined;
  /**
   * Whether `add` rejects unless Redis keeps events: with `appendonly yes`, and a `maxmemory-policy` that does not evict them.
   * Defaults to false: a warning is logged.
   */
  readonly requireDurable?: boolean | undefined;
  /** Interval at which a buffer looks for events from other processes, in milliseconds. Defaults to 1,000. */
  readonly pollInterval?: number | undefined;
}

/**
 * The part of a `redis` client that {@link redisOutbox} uses. The results of `createClient`, `createClientPool`,
 * `createCluster` and `createSentinel` in `redis` 5 and 6 are compatible.
 */
export interface RedisOutboxClient {
  readonly isOpen: boolean;
  readonly isReady?: boolean;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  listenerCount(event: "error"): number;
}

/**
 * Creates an outbox in Redis that any number of processes on any number of machines can share. Each can add and send
 * events. If a process ends without `close`, the others claim the events that it was sending after `leaseDuration`.
 *
 * `maxQueued` of the buffers limits the events of all processes together, but for about `pollInterval`; to limit their bytes, set
 * `maxmemory` of Redis. How durable events are depends on Redis: configure `appendonly yes` and `maxmemory-policy noeviction`.
 *
 * ```ts
 * const client = await createClient({ url: process.env.REDIS_URL })
 *   .on("error", console.error)
 *   .connect();
 * const usage = createEventBuffer(billing, { outbox: redisOutbox(client) });
 * ```
 *
 * @param client A connected client of the `redis` package, versions 5 and 6. It stays open when the outbox is closed.
 * @throws `InvalidInputError` when the client or an option is invalid.
 */
export function redisOutbox(client: RedisOutboxClient, options: RedisOutboxOptions = {}): Outbox {
  const check = new Checks({ caller: "redisOutbox" });
  const settings = readOptions(check, options);
  return new SharedOutbox(new RedisStorage(checkClient(check, client), settings), settings);
}

/*
 * Redis runs each script at once, without another command in between. `EVENTS` has the JSON of each event by its id, which is
 * the time in microseconds, or one more than the last id. `QUEUE` has the ids, each with the time at which its lease ends in
 * milliseconds, or 0 without a lease, and `OWNERS` the outbox that has leased them.
 */
const START = `
local EVENTS, QUEUE, OWNERS, LAST = unpack(KEYS)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function release(id)
  redis.call('ZADD', QUEUE, 'XX', 0, id)
  redis.call('HDEL', OWNERS, id)
end

-- Redis may have evicted the queue, but not the events.
local function restore()
  if redis.call('EXISTS', QUEUE) == 1 then return end
  for _, id in ipairs(redis.call('HKEYS', EVENTS)) do redis.call('ZADD', QUEUE, 0, id) end
end

local function each_own(act)
  for index = 2, #ARGV do
    if redis.call('HGET', OWNERS, ARGV[index]) == ARGV[1] then act(ARGV[index]) end
  end
end
`;

/** Events leave a Redis that is full, although a lease takes memory. */
const WHEN_FULL = `#!lua flags=allow-oom${START}`;

/** Appends events. ARGV: JSON of each. */
const APPEND = `${START}
restore()
local last = math.max(redis.call('GET', LAST) or 0, time[1] * 1000000 + time[2])
for index = 1, #ARGV do
  local id = string.format('%.0f', last + index)
  redis.call('ZADD', QUEUE, 0, id)
  redis.call('HSET', EVENTS, id, ARGV[index])
end
if #ARGV > 0 then redis.call('SET', LAST, string.format('%.0f', last + #ARGV)) end`;

/** Leases the oldest events. ARGV: outbox, lease in ms, events, bytes. Returns id, JSON and bytes of each. */
const TAKE = `${WHEN_FULL}
restore()
local me, lease, max_events, max_bytes = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
for _, id in ipairs(redis.call('ZRANGEBYSCORE', QUEUE, '(0', now, 'LIMIT', 0, max_events)) do release(id) end
local taken, bytes = {}, 0
for _, id in ipairs(redis.call('ZRANGEBYSCORE', QUEUE, 0, 0, 'LIMIT', 0, max_events)) do
  local json = redis.call('HGET', EVENTS, id)
  if not json then
    redis.call('ZREM', QUEUE, id) -- Redis has evicted it.
  else
    bytes = bytes + #json
    if #taken > 0 and bytes > max_bytes then break end
    redis.call('ZADD', QUEUE, now + lease, id)
    redis.call('HSET', OWNERS, id, me)
    taken[#taken + 1], taken[#taken + 2], taken[#taken + 3] = id, json, #json
  end
end
return taken`;

/** Restarts leases. ARGV: outbox, ids. The lease in ms is last. */
const EXTEND = `${WHEN_FULL}
local lease = table.remove(ARGV)
each_own(function(id) redis.call('ZADD', QUEUE, now + lease, id) end)`;

/** Ends leases. ARGV: outbox, ids. */
const RELEASE = `${WHEN_FULL}
each_own(release)`;

/** Ends the leases of an outbox that it does not know. ARGV: outbox, the ids that it knows. */
const RECLAIM = `${WHEN_FULL}
local known = {}
for index = 2, #ARGV do known[ARGV[index]] = true end
local leased = redis.call('HGETALL', OWNERS)
for index = 1, #leased, 2 do
  if leased[index + 1] == ARGV[1] and not known[leased[index]] then release(leased[index]) end
end`;

/** Removes events. ARGV: ids. */
const CONFIRM = `${WHEN_FULL}
for _, id in ipairs(ARGV) do
  redis.call('HDEL', EVENTS, id)
  redis.call('ZREM', QUEUE, id)
  redis.call('HDEL', OWNERS, id)
end`;

/** Returns the number of events, and the ids of the oldest and the newest if there is one. */
const STATE = `${WHEN_FULL}
local ids = redis.call('ZRANGEBYSCORE', QUEUE, '(0', '+inf')
ids[#ids + 1] = redis.call('ZRANGEBYSCORE', QUEUE, 0, 0, 'LIMIT', 0, 1)[1]
table.sort(ids)
return { redis.call('ZCARD', QUEUE), ids[1], redis.call('GET', LAST) }`;

/** Returns what the durability of the events depends on. */
const INFO = `return redis.call('INFO', 'memory') .. redis.call('INFO', 'persistence')`;

class RedisStorage implements SharedStorage {
  readonly name = "redisOutbox";
  readonly #client: RedisOutboxClient;
  readonly #settings: Settings;
  readonly #keys: string[];
  readonly #me = crypto.randomUUID();
  #isDurable = false;

  constructor(client: RedisOutboxClient, settings: Settings) {
    this.#client = client;
    this.#settings = settings;
    this.#keys = ["events", "queue", "owners", "last"].map((name) => `{${settings.prefix}}:${name}`);
  }

  async check(): Promise<string | undefined> {
    const info = String(await this.#eval(INFO, []));
    const policy = /maxmemory_policy:(\S+)/.exec(info)?.[1] ?? "unknown";
    const dangers = [
      policy.startsWith("allkeys-") &&
        `deletes them when its memory is full (maxmemory-policy ${policy}; set noeviction)`,
      !info.includes("aof_enabled:1") && "loses them when it restarts (set appendonly yes)",
    ].filter((danger) => danger !== false);
    this.#isDurable = dangers.length === 0;
    if (this.#isDurable) return undefined;
    return `redisOutbox: Redis may lose events: it ${dangers.join(", and ")}`;
  }

  async append(events: readonly NewOutboxEvent[]): Promise<void> {
    const { requireDurable } = this.#settings;
    const danger = requireDurable && !this.#isDurable ? await this.check() : undefined;
    if (danger !== undefined) throw new OutboxError("unsupported", `${danger}. requireDurable forbids that`);
    await this.#eval(
      APPEND,
      events.map(({ json }) => json),
    );
  }

  async take({ events, bytes }: TakeLimit): Promise<readonly OutboxEvent[]> {
    const limits = [this.#settings.leaseDuration, events, bytes].map(String);
    return eventsOf((await this.#eval(TAKE, [this.#me, ...limits])) as unknown[]);
  }

  reclaim = (known: readonly string[]) => this.#eval(RECLAIM, [this.#me, ...known]);
  extend = (ids: readonly string[]) => this.#eval(EXTEND, [this.#me, ...ids, String(this.#settings.leaseDuration)]);
  confirm = (ids: readonly string[]) => this.#eval(CONFIRM, [...ids]);
  release = (ids: readonly string[]) => this.#eval(RELEASE, [this.#me, ...ids]);

  async state(): Promise<OutboxState> {
    const [events, oldest, newest] = ((await this.#eval(STATE, [])) as unknown[]).map(Number);
    if (oldest === undefined || newest === undefined) return { events: Number(events), oldest: undefined };
    return { events: Number(events), oldest: oldest / 1_000, positions: [oldest, newest] };
  }

  /** Explains why a command failed, without the password of a URL. */
  explain(method: string, error: unknown): OutboxError {
    const { message, cause } = withoutPassword(error);
    const [, reason = "unavailable", advice = ""] = EXPLANATIONS.find(([pattern]) => pattern.test(message)) ?? [];
    const problem = `redisOutbox: ${method} of "${this.#settings.prefix}" failed: ${message} ${advice}`.trimEnd();
    return new OutboxError(reason, problem, { cause });
  }

  /** Fails at once without a connection, because a single client would keep the command until it has one. */
  async #eval(script: string, values: string[]): Promise<unknown> {
    const { isOpen, isReady = isOpen } = this.#client;
    if (isReady) return this.#client.eval(script, { keys: this.#keys, arguments: values });
    const problem = isOpen ? "lost its connection and is reconnecting" : "is not connected. Call its `connect` first";
    throw new Error(`the client ${problem}`);
  }
}

/** Reads id, JSON and bytes of each entry. A client may be configured to return buffers instead of strings. */
function eventsOf(reply: readonly unknown[]): OutboxEvent[] {
  return Array.from({ length: reply.length / 3 }, (_, index) => {
    const [id, json, bytes] = reply.slice(index * 3, index * 3 + 3);
    return { id: String(id), json: String(json), bytes: Number(bytes) };
  });
}

type Settings = ReturnType<typeof readOptions>;

function readOptions(check: Checks, given: RedisOutboxOptions) {
  const names = ["prefix", "leaseDuration", "pollInterval", "requireDurable"] as const;
  const options = check.fields("options", given, names);
  const { prefix = "billing-usage" } = options;
  // The part of a key in braces decides which node of a cluster has it.
  const isPrefix = typeof prefix === "string" && /^[^{}]{1,200}$/.test(prefix);
  check.must(isPrefix, "prefix", "be a string of 1 to 200 characters without braces", prefix, describeValue);
  return {
    prefix,
    requireDurable: check.boolean("requireDurable", options.requireDurable ?? false),
    ...readLeases(check, options as Partial<LeaseSettings>),
  };
}

function checkClient(check: Checks, client: RedisOutboxClient): RedisOutboxClient {
  const isClient = typeof client?.isOpen === "boolean" && typeof client.listenerCount === "function";
  check.must(isClient, "client", 'be a client of the "redis" package, version 5 or 6 (not "ioredis")', client);
  if (client.listenerCount("error") > 0) return client;
  const problem = 'has no listener for "error", so a lost connection would end the process';
  throw check.fail("client", `${problem}. Add one: client.on("error", console.error)`);
}

/** The password of a URL such as `redis://user:password@host`. */
const CREDENTIALS = /(\/\/)[^\s/@]*@/g;

const EXPLANATIONS: readonly (readonly [pattern: RegExp, reason: OutboxErrorReason, advice: string])[] = [
  [/^WRONGTYPE/, "foreign", "Another program uses the key. Choose another `prefix`."],
  [/^OOM/, "full", "Raise `maxmemory` of Redis, or lower `maxQueued`."],
  [/No space left/i, "full", "Free space on the disk of Redis."],
];

function withoutPassword(error: unknown): { message: string; cause: unknown } {
  const original = asError(error);
  const message = original.message.replace(CREDENTIALS, "$1") || original.name;
  const isSafe = `${original.message}${original.stack}`.search(CREDENTIALS) === -1;
  return { message, cause: isSafe ? original : new Error(message) };
}
