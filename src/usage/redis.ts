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
import { APPEND, CONFIRM, EXTEND, INFO, RECLAIM, RELEASE_OWN, STATE, TAKE } from "./redis-scripts.ts";
import { type LeaseSettings, readLeases, SharedOutbox, type SharedStorage } from "./shared-outbox.ts";

/** Options for `redisOutbox`. Use the same in every process that shares the outbox. */
export interface RedisOutboxOptions {
  /** The outbox uses the key `{<prefix>}:events`. Processes with the same prefix share it. Defaults to `billing-usage`. */
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
 * Creates an outbox in a Redis stream that any number of processes on any number of machines can share. Each can add and send
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

class RedisStorage implements SharedStorage {
  readonly name = "redisOutbox";
  readonly #client: RedisOutboxClient;
  readonly #settings: Settings;
  readonly #key: string;
  readonly #consumer = crypto.randomUUID();
  #isDurable = false;
  /** The lease at which the next `take` begins to look for ended ones. */
  #cursor = "0-0";

  constructor(client: RedisOutboxClient, settings: Settings) {
    this.#client = client;
    this.#settings = settings;
    this.#key = `{${settings.prefix}}:events`;
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
    const [next, ...reply] = (await this.#eval(TAKE, [this.#consumer, ...limits, this.#cursor])) as unknown[];
    this.#cursor = String(next);
    return eventsOf(reply);
  }

  reclaim = (known: readonly string[]) => this.#eval(RECLAIM, [this.#consumer, ...known]);
  extend = (ids: readonly string[]) => this.#eval(EXTEND, [this.#consumer, ...ids]);
  confirm = (ids: readonly string[]) => this.#eval(CONFIRM, [...ids]);
  release = (ids: readonly string[]) => this.#eval(RELEASE_OWN, [this.#consumer, ...ids]);

  async state(): Promise<OutboxState> {
    const [events, ...ids] = (await this.#eval(STATE, [])) as unknown[];
    const [oldest, newest] = ids.map((id) => Number.parseInt(String(id), 10));
    if (oldest === undefined || newest === undefined) return { events: Number(events), oldest: undefined };
    return { events: Number(events), oldest, positions: [oldest, newest] };
  }

  /** Explains why a command failed, without the password of a URL. */
  explain(method: string, error: unknown): OutboxError {
    const { message, cause } = withoutPassword(error);
    const [, reason = "unavailable", advice = ""] = EXPLANATIONS.find(([pattern]) => pattern.test(message)) ?? [];
    const problem = `redisOutbox: ${method} of "${this.#key}" failed: ${message} ${advice}`.trimEnd();
    return new OutboxError(reason, problem, { cause });
  }

  /** Fails at once without a connection, because a single client would keep the command until it has one. */
  async #eval(script: string, values: string[]): Promise<unknown> {
    const { isOpen, isReady = isOpen } = this.#client;
    if (isReady) return this.#client.eval(script, { keys: [this.#key], arguments: values });
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
