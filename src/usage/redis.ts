/**
 * An outbox in Redis, for several machines.
 *
 * @module usage/redis
 */

import { Checks } from "../errors/checks.ts";
import { asError, describeValue } from "../values/describe.ts";
import { within } from "../values/wait.ts";
import {
  type NewOutboxEvent,
  type Outbox,
  OutboxError,
  type OutboxErrorReason,
  type OutboxEvent,
  type OutboxState,
  type TakeLimit,
} from "./outbox.ts";
import { APPEND, CONFIRM, EXTEND, INFO, LEAVE, RECLAIM, RELEASE_OWN, STATE, TAKE } from "./redis-scripts.ts";

/** Options for `redisOutbox`. Use the same in every process that shares the outbox. */
export interface RedisOutboxOptions {
  /** The outbox uses the key `{<prefix>}:events`. Processes with the same prefix share it. Defaults to `billing-usage`. */
  readonly prefix?: string | undefined;
  /**
   * Maximum number of events from all processes together. Beyond it, each buffer's `whenFull` applies. Defaults to 1,000,000.
   * To limit their bytes, set `maxmemory` of Redis.
   */
  readonly capacity?: number | undefined;
  /** Milliseconds after which other buffers claim events whose lease was not extended. Defaults to 30,000. */
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
 * Creates an outbox in a Redis stream that any number of processes on any number of machines can share. Each can add and send
 * events. If a process ends without `close`, the others claim the events that it was sending after `leaseDuration`.
 *
 * How durable events are depends on Redis: configure `appendonly yes` and `maxmemory-policy noeviction`.
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
  return new RedisOutbox(checkClient(check, client), readOptions(check, options));
}

class RedisOutbox implements Outbox {
  readonly durable = true;
  readonly leaseDuration: number;
  readonly pollInterval: number;
  readonly #client: RedisOutboxClient;
  readonly #key: string;
  readonly #capacity: number;
  readonly #consumer = crypto.randomUUID();
  readonly #requireDurable: boolean;
  /** The ids of the leased events. */
  readonly #leased = new Set<string>();
  /** Whether Redis may have leased events to this outbox that it does not know, for example in a call that was given up. */
  #isUnsure = false;
  #taking: Promise<unknown> = Promise.resolve();
  #isDurable = false;
  /** The lease at which the next `take` begins to look for ended ones; undefined before the first. */
  #cursor: string | undefined;
  #isClosed = false;

  constructor(client: RedisOutboxClient, settings: Settings) {
    this.leaseDuration = settings.leaseDuration;
    this.pollInterval = settings.pollInterval;
    this.#client = client;
    this.#key = `{${settings.prefix}}:events`;
    this.#capacity = settings.capacity;
    this.#requireDurable = settings.requireDurable;
  }

  async check(): Promise<string | undefined> {
    const info = String(await this.#run("check", INFO, []));
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
    const danger = this.#requireDurable && !this.#isDurable ? await this.check() : undefined;
    if (danger !== undefined) throw new OutboxError("unsupported", `${danger}. requireDurable forbids that`);
    const texts = events.map(({ json }) => json);
    const length = Number(await this.#run("append", APPEND, [String(this.#capacity), ...texts]));
    if (length + events.length <= this.#capacity) return;
    const found = `"${this.#key}" holds ${length} events (capacity ${this.#capacity}), so ${events.length} more were rejected`;
    const advice = "Check that a process is sending them, or raise `capacity`";
    throw new OutboxError("full", `redisOutbox: ${found}. ${advice}`);
  }

  /** Takes events after earlier calls, so that it knows what these have leased. */
  take(limit: TakeLimit): Promise<readonly OutboxEvent[]> {
    const taking = this.#taking.then(() => this.#take(limit));
    this.#taking = taking.catch(() => {
      this.#isUnsure = true;
    });
    return taking;
  }

  async #take({ events, bytes }: TakeLimit): Promise<readonly OutboxEvent[]> {
    if (this.#isUnsure) await this.#run("take", RECLAIM, [this.#consumer, ...this.#leased]);
    this.#isUnsure = false;
    const limits = [this.leaseDuration, events, bytes].map(String);
    const cursor = this.#cursor ?? "";
    this.#cursor ??= "0-0";
    const [next, ...reply] = (await this.#run("take", TAKE, [this.#consumer, ...limits, cursor])) as unknown[];
    this.#cursor = String(next);
    const taken = eventsOf(reply);
    for (const { id } of taken) this.#leased.add(id);
    return taken;
  }

  async extend(events: readonly OutboxEvent[]): Promise<void> {
    await this.#run("extend", EXTEND, [this.#consumer, ...idsOf(events)]);
  }

  async confirm(events: readonly OutboxEvent[]): Promise<void> {
    await this.#run("confirm", CONFIRM, idsOf(events));
    for (const { id } of events) this.#leased.delete(id);
  }

  async release(events: readonly OutboxEvent[]): Promise<void> {
    for (const { id } of events) this.#leased.delete(id);
    await this.#run("release", RELEASE_OWN, [this.#consumer, ...idsOf(events)]).catch((error: unknown) => {
      this.#isUnsure = true;
      throw error;
    });
  }

  async state(): Promise<OutboxState> {
    const [events, ...ids] = (await this.#run("state", STATE, [])) as unknown[];
    const [oldest, newest] = ids.map((id) => Number.parseInt(String(id), 10));
    if (oldest === undefined || newest === undefined) return { events: Number(events), oldest: undefined };
    return { events: Number(events), oldest, positions: [oldest, newest] };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#cursor !== undefined) await this.#run("close", LEAVE, [this.#consumer]);
    this.#cursor = undefined;
  }

  async #run(method: string, script: string, values: string[]): Promise<unknown> {
    if (this.#isClosed && method !== "close") {
      throw new OutboxError("closed", `redisOutbox: ${method} was called after close`);
    }
    this.#requireConnection(method);
    try {
      const run = () => this.#client.eval(script, { keys: [this.#key], arguments: values });
      const late = () => new Error(NO_RESPONSE);
      return await within(COMMAND_LIMIT, () => (method === "take" ? this.#notingLate(run()) : run()), late);
    } catch (error) {
      throw redisError(method, this.#key, error);
    }
  }

  /** A call that was given up may lease events later. */
  async #notingLate(running: Promise<unknown>): Promise<unknown> {
    const started = performance.now();
    const result = await running;
    if (performance.now() - started >= COMMAND_LIMIT) this.#isUnsure = true;
    return result;
  }

  /** Fails at once, because a single client would keep the command until it has a connection. */
  #requireConnection(method: string): void {
    const { isOpen, isReady = isOpen } = this.#client;
    if (isReady) return;
    const problem = isOpen ? "lost its connection and is reconnecting" : "is not connected. Call its `connect` first";
    throw new OutboxError("unavailable", `redisOutbox: ${method} of "${this.#key}" failed: the client ${problem}`);
  }
}

/** The time limit of a command, in milliseconds. A pool and a cluster do not tell that they have lost their connection. */
const COMMAND_LIMIT = 5_000;

const NO_RESPONSE = `no response within ${COMMAND_LIMIT / 1_000} seconds. Check that Redis can be reached.`;

function idsOf(events: readonly OutboxEvent[]): string[] {
  return events.map(({ id }) => id);
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
  const options = check.fields("options", given, [
    "prefix",
    "capacity",
    "leaseDuration",
    "pollInterval",
    "requireDurable",
  ]);
  const { prefix = "billing-usage" } = options;
  // The part of a key in braces decides which node of a cluster has it.
  const isPrefix = typeof prefix === "string" && /^[^{}]{1,200}$/.test(prefix);
  check.must(isPrefix, "prefix", "be a string of 1 to 200 characters without braces", prefix, describeValue);
  return {
    prefix,
    capacity: check.integer("capacity", options.capacity ?? 1_000_000, 1, Number.MAX_SAFE_INTEGER),
    requireDurable: check.boolean("requireDurable", options.requireDurable ?? false),
    leaseDuration: check.integer("leaseDuration", options.leaseDuration ?? 30_000, 100),
    pollInterval: check.integer("pollInterval", options.pollInterval ?? 1_000, 10),
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
  [/^OOM/, "full", "Raise `maxmemory` of Redis, or lower `capacity`."],
  [/No space left/i, "full", "Free space on the disk of Redis."],
  [/^(NOAUTH|WRONGPASS)/, "unavailable", "Check the user name and the password of the Redis client."],
  [/^NOPERM/, "unavailable", "Allow the Redis user to run EVAL and the stream commands."],
];

/** Explains why a command failed, without the password of a URL. */
function redisError(method: string, key: string, error: unknown): OutboxError {
  const { message, cause } = withoutPassword(error);
  const [, reason = "unavailable", advice = ""] = EXPLANATIONS.find(([pattern]) => pattern.test(message)) ?? [];
  return new OutboxError(reason, `redisOutbox: ${method} of "${key}" failed: ${message} ${advice}`.trimEnd(), {
    cause,
  });
}

function withoutPassword(error: unknown): { message: string; cause: unknown } {
  const original = asError(error);
  const message = original.message.replace(CREDENTIALS, "$1") || original.name;
  const isSafe = `${original.message}${original.stack}`.search(CREDENTIALS) === -1;
  return { message, cause: isSafe ? original : new Error(message) };
}
