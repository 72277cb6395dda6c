import type { DatabaseSync, StatementSync } from "node:sqlite";
import { InvalidInputError } from "../../errors/index.ts";
import { CheckedOptions } from "../options/check-options.ts";
import {
  Fifo,
  type Outbox,
  type OutboxEntry,
  OutboxError,
  type OutboxEvent,
  type OutboxState,
  type TakeLimit,
} from "../outbox/index.ts";
import { type DatabaseSettings, openDatabase } from "./open-database.ts";
import { sqliteError } from "./sqlite-error.ts";

/** Options for `sqliteOutbox`. All are optional. */
export interface SqliteOutboxOptions {
  /**
   * Whether `add` waits until the event is on the disk, so that it also survives a power failure or a crash of the operating
   * system. Defaults to false: events survive a crash of the process, and adding is faster.
   */
  readonly survivesPowerLoss?: boolean | undefined;
  /** Maximum size of the file, in bytes. Beyond it, `whenFull` of the buffer applies. Unlimited by default. */
  readonly maxFileBytes?: number | undefined;
}

/**
 * Opens an outbox in an SQLite file, through `node:sqlite`. Events survive a crash of the process. One process at a time can
 * use the file. It needs Node.js 22.13 or newer.
 *
 * @param path The path of the file, created if it does not exist. Its directory must exist. Use a local disk.
 * @throws `InvalidInputError` when an argument is invalid.
 * @throws `OutboxError` with the reason `unsupported`, `in-use`, `foreign`, `corrupt` or `unavailable`.
 */
export function sqliteOutbox(path: string, options: SqliteOutboxOptions = {}): Outbox {
  const checks = new CheckedOptions("sqliteOutbox", options, ["survivesPowerLoss", "maxFileBytes"]);
  if (typeof path !== "string" || path === "") {
    throw new InvalidInputError("path", "must be a non-empty string", { caller: "sqliteOutbox" });
  }
  const limit = checks.integer("maxFileBytes", Number.MAX_SAFE_INTEGER, [65_536, Number.MAX_SAFE_INTEGER]);
  return new SqliteOutbox({
    path,
    survivesPowerLoss: checks.flag("survivesPowerLoss"),
    maxFileBytes: options.maxFileBytes === undefined ? undefined : limit,
  });
}

interface Row {
  readonly id: number;
  readonly json: string;
  readonly bytes: number;
}

/** Keeps its leases in memory: when the process ends, every event that is not confirmed is available again. */
class SqliteOutbox implements Outbox {
  readonly durable = true;
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #select: StatementSync;
  readonly #delete: StatementSync;
  readonly #deleteRange: StatementSync;
  readonly #oldest: StatementSync;
  /** Entries that are read or released, and not taken. */
  readonly #ready = new Fifo<OutboxEntry>();
  #readyBytes = 0;
  readonly #taken = new Set<OutboxEntry>();
  /** The id of the last event that was read from the table. */
  #cursor = 0;
  #events: number;

  constructor(settings: DatabaseSettings) {
    this.#path = settings.path;
    this.#database = openDatabase(settings);
    const prepare = (sql: string): StatementSync => this.#database.prepare(sql);
    this.#insert = prepare("INSERT INTO events (json, bytes, appended_at) VALUES (?, ?, ?)");
    this.#select = prepare("SELECT id, json, bytes FROM events WHERE id > ? ORDER BY id LIMIT ?");
    this.#delete = prepare("DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))");
    this.#deleteRange = prepare("DELETE FROM events WHERE id BETWEEN ? AND ?");
    this.#oldest = prepare(
      "SELECT id, appended_at, (SELECT max(id) FROM events) AS newest FROM events ORDER BY id LIMIT 1",
    );
    this.#events = Number(prepare("SELECT count(*) AS events FROM events").get()?.["events"]);
  }

  async append(events: readonly OutboxEvent[]): Promise<void> {
    const now = Date.now();
    this.#transact("append", () => {
      for (const { json, bytes } of events) this.#insert.run(json, bytes, now);
    });
    this.#events += events.length;
  }

  async take(limit: TakeLimit): Promise<readonly OutboxEntry[]> {
    this.#run("take", () => this.#read(limit));
    const taken: OutboxEntry[] = [];
    for (let bytes = 0; taken.length < limit.events; ) {
      bytes += this.#ready.peek()?.bytes ?? 0;
      if (this.#ready.size === 0 || (taken.length > 0 && bytes > limit.bytes)) break;
      const entry = this.#ready.shift() as OutboxEntry;
      this.#readyBytes -= entry.bytes;
      this.#taken.add(entry);
      taken.push(entry);
    }
    return taken;
  }

  async confirm(entries: readonly OutboxEntry[]): Promise<void> {
    const ids = entries.map(({ id }) => Number(id));
    this.#events -= this.#transact("confirm", () => this.#remove(ids));
    for (const entry of entries) this.#taken.delete(entry);
  }

  async release(entries: readonly OutboxEntry[]): Promise<void> {
    this.#run("release", () => {
      for (const entry of entries) if (this.#taken.delete(entry)) this.#makeReady(entry);
    });
  }

  async state(): Promise<OutboxState> {
    const row = this.#run("state", () => this.#oldest.get()) as
      | Record<"id" | "appended_at" | "newest", number>
      | undefined;
    return { events: this.#events, oldest: row?.appended_at, positions: row && [row.id, row.newest] };
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close();
  }

  /** Reads events after the cursor until a batch is complete; not more, since they may be large. */
  #read(limit: TakeLimit): void {
    const missing = limit.events - this.#ready.size;
    if (missing <= 0 || this.#readyBytes > limit.bytes) return;
    for (const row of this.#select.iterate(this.#cursor, missing)) {
      const { id, json, bytes } = row as unknown as Row;
      this.#cursor = id;
      this.#makeReady({ id: String(id), json, bytes });
      if (this.#readyBytes > limit.bytes) return;
    }
  }

  #makeReady(entry: OutboxEntry): void {
    this.#ready.push(entry);
    this.#readyBytes += entry.bytes;
  }

  /** Returns the number of removed events. */
  #remove(ids: readonly number[]): number {
    const [first = 0, last = -1] = [ids[0], ids.at(-1)];
    const isRange = last - first === ids.length - 1 && ids.every((id, index) => id === first + index);
    return Number((isRange ? this.#deleteRange.run(first, last) : this.#delete.run(JSON.stringify(ids))).changes);
  }

  #transact<Result>(method: string, work: () => Result): Result {
    return this.#run(method, () => {
      this.#database.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        this.#database.exec("COMMIT");
        return result;
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  #run<Result>(method: string, work: () => Result): Result {
    if (!this.#database.isOpen) throw new OutboxError("closed", `sqliteOutbox: ${method} was called after close`);
    try {
      return work();
    } catch (error) {
      throw sqliteError(this.#path, error);
    }
  }
}
