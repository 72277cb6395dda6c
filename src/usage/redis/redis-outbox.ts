import {
  type Outbox,
  type OutboxEntry,
  OutboxError,
  type OutboxEvent,
  type OutboxState,
  type TakeLimit,
} from "../outbox/index.ts";
import { type RedisOutboxOptions, type RedisOutboxSettings, readRedisOptions } from "./options.ts";
import { checkRedisClient, type RedisOutboxClient } from "./redis-client.ts";
import { redisError } from "./redis-error.ts";
import { APPEND, CONFIRM, EXTEND, LEAVE, RELEASE_OWN, STATE, TAKE } from "./scripts.ts";

/**
 * Creates an outbox in a Redis stream, which any number of processes on any number of machines share. Each may add events
 * and send them. If a process ends without `close`, the others claim the events that it was sending after `leaseDuration`.
 *
 * Events are as durable as Redis is configured: it needs `appendonly yes`, and `maxmemory-policy noeviction`.
 *
 * ```ts
 * const client = await createClient({ url: process.env.REDIS_URL }).on("error", console.error).connect();
 * const usage = createEventBuffer(billing, { outbox: redisOutbox(client) });
 * ```
 *
 * @param client A connected client of the `redis` package, versions 5 and 6. It stays open when the outbox is closed.
 * @throws `InvalidInputError` when the client or an option is invalid.
 */
export function redisOutbox(client: RedisOutboxClient, options: RedisOutboxOptions = {}): Outbox {
  return new RedisOutbox(checkRedisClient(client), readRedisOptions(options));
}

class RedisOutbox implements Outbox {
  readonly durable = true;
  readonly leaseDuration: number;
  readonly pollInterval: number;
  readonly #client: RedisOutboxClient;
  readonly #key: string;
  readonly #capacity: number;
  readonly #consumer = crypto.randomUUID();
  #hasTaken = false;
  #isClosed = false;

  constructor(client: RedisOutboxClient, settings: RedisOutboxSettings) {
    this.leaseDuration = settings.leaseDuration;
    this.pollInterval = settings.pollInterval;
    this.#client = client;
    this.#key = `{${settings.prefix}}:events`;
    this.#capacity = settings.capacity;
  }

  async append(events: readonly OutboxEvent[]): Promise<void> {
    this.#requireOpen("append");
    if (events.length === 0) return;
    const texts = events.map(({ json }) => json);
    const length = Number(await this.#run("append", APPEND, [String(this.#capacity), ...texts]));
    if (length + events.length > this.#capacity) throw this.#fullError(length, events.length);
  }

  async take({ events, bytes }: TakeLimit): Promise<readonly OutboxEntry[]> {
    this.#requireOpen("take");
    const limits = [this.leaseDuration, events, bytes].map(String);
    const step = this.#hasTaken ? "" : "join";
    this.#hasTaken = true;
    return entriesOf((await this.#run("take", TAKE, [this.#consumer, ...limits, step])) as unknown[]);
  }

  async extend(entries: readonly OutboxEntry[]): Promise<void> {
    this.#requireOpen("extend");
    if (entries.length > 0) await this.#run("extend", EXTEND, [this.#consumer, ...idsOf(entries)]);
  }

  async confirm(entries: readonly OutboxEntry[]): Promise<void> {
    this.#requireOpen("confirm");
    if (entries.length > 0) await this.#run("confirm", CONFIRM, idsOf(entries));
  }

  async release(entries: readonly OutboxEntry[]): Promise<void> {
    this.#requireOpen("release");
    if (entries.length > 0) await this.#run("release", RELEASE_OWN, [this.#consumer, ...idsOf(entries)]);
  }

  async state(): Promise<OutboxState> {
    this.#requireOpen("state");
    const [events, ...ids] = (await this.#run("state", STATE, [])) as unknown[];
    const [oldest, newest] = ids.map((id) => Number.parseInt(String(id), 10));
    if (oldest === undefined || newest === undefined) return { events: Number(events), oldest: undefined };
    return { events: Number(events), oldest, positions: [oldest, newest] };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#hasTaken) await this.#run("close", LEAVE, [this.#consumer]);
    this.#hasTaken = false;
  }

  async #run(method: string, script: string, values: string[]): Promise<unknown> {
    this.#requireConnection(method);
    try {
      return await this.#client.eval(script, { keys: [this.#key], arguments: values });
    } catch (error) {
      throw redisError(method, this.#key, error);
    }
  }

  /** Fails at once, because the client would keep the command until it has a connection, for an unlimited time. */
  #requireConnection(method: string): void {
    const { isOpen, isReady = isOpen } = this.#client;
    if (isReady) return;
    const problem = isOpen ? "lost its connection and is reconnecting" : "is not connected. Call its `connect` first";
    throw new OutboxError("unavailable", `redisOutbox: ${method} of "${this.#key}" failed: the client ${problem}`);
  }

  #requireOpen(method: string): void {
    if (this.#isClosed) throw new OutboxError("closed", `redisOutbox: ${method} was called after close`);
  }

  #fullError(length: number, added: number): OutboxError {
    const found = `"${this.#key}" holds ${length} events (capacity ${this.#capacity}), so ${added} more were rejected`;
    const advice = "Check that a process is sending them, or raise `capacity`";
    return new OutboxError("full", `redisOutbox: ${found}. ${advice}`);
  }
}

function idsOf(entries: readonly OutboxEntry[]): string[] {
  return entries.map(({ id }) => id);
}

/** Reads id, JSON and bytes of each entry. A client may be configured to return buffers instead of strings. */
function entriesOf(reply: readonly unknown[]): OutboxEntry[] {
  return Array.from({ length: reply.length / 3 }, (_, index) => {
    const [id, json, bytes] = reply.slice(index * 3, index * 3 + 3);
    return { id: String(id), json: String(json), bytes: Number(bytes) };
  });
}
