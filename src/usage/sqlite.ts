/**
 * Stores usage events in a file until they are sent, so that they survive a crash.
 *
 * @module usage/sqlite
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Checks } from "../errors/checks.ts";
import { Fifo } from "./memory-outbox.ts";
import {
  type Outbox,
  type OutboxEntry,
  OutboxError,
  type OutboxEvent,
  type OutboxState,
  type TakeLimit,
} from "./outbox.ts";
import {
  absolutePath,
  type DatabaseSettings,
  lockFile,
  openDatabase,
  removeDatabase,
  sqliteError,
} from "./sqlite-database.ts";

/** Options for `sqliteOutbox`. All are optional. */
export interface SqliteOutboxOptions {
  /**
   * Whether `add` waits until the event is on the disk, so that it survives a power failure or an operating system crash.
   * Defaults to false: adding is faster, and events survive only a process crash.
   */
  readonly survivesPowerLoss?: boolean | undefined;
  /** Maximum file size in bytes. Beyond it, the buffer's `whenFull` applies. Unlimited by default. */
  readonly maxFileBytes?: number | undefined;
}

/**
 * Opens an outbox in an SQLite file. Events survive a process crash. Only one process at a time can use the file; it is locked
 * by a second file, `<path>-lock`. Needs `node:sqlite` (Node.js 22.13 or newer).
 *
 * If the log of the file is damaged, some or all of the newest events are lost.
 *
 * If the disk is full, events are still sent and removed. If the process is then killed before the removal could be written,
 * these events are sent again.
 *
 * @param path The path of the file, on a local disk. If the file does not exist, it is created, readable only by its owner. Its
 *   directory must exist.
 * @throws `InvalidInputError` when an argument is invalid.
 * @throws `OutboxError` with the reason `unsupported`, `in-use`, `foreign`, `corrupt` or `unavailable`.
 */
export function sqliteOutbox(path: string, options: SqliteOutboxOptions = {}): Outbox {
  const check = new Checks({ caller: "sqliteOutbox" });
  const given = check.fields("options", options, ["survivesPowerLoss", "maxFileBytes"]);
  if (typeof path !== "string" || path === "") throw check.fail("path", "must be a non-empty string");
  if (path === ":memory:" || path.startsWith("file:")) {
    const advice = "For an outbox in memory, use memoryOutbox()";
    throw check.fail("path", `must be the path of a file; received "${path}". ${advice}`);
  }
  return new SqliteOutbox({
    path: absolutePath(path),
    survivesPowerLoss: check.boolean("survivesPowerLoss", given.survivesPowerLoss ?? false),
    maxFileBytes: check.integer("maxFileBytes", given.maxFileBytes ?? LARGEST, 65_536, LARGEST),
  });
}

const LARGEST = Number.MAX_SAFE_INTEGER;

interface Oldest {
  readonly id: number;
  readonly appended_at: number;
  readonly newest: number;
}

interface Row {
  readonly id: number;
  readonly json: string;
  readonly bytes: number;
}

/** The minimum number of removed events that are caught up with at a time. */
const CATCH_UP = 1_000;

/** Keeps its leases in memory: when the process ends, every event that is not confirmed is available again. */
class SqliteOutbox implements Outbox {
  readonly durable = true;
  readonly #settings: DatabaseSettings;
  readonly #lock: DatabaseSync;
  #database!: DatabaseSync;
  #statements!: Statements;
  /** Entries that are read or released, and not taken. */
  readonly #ready = new Fifo<OutboxEntry>();
  #readyBytes = 0;
  readonly #taken = new Set<OutboxEntry>();
  /** The id of the last event that was read from the table. */
  #cursor = 0;
  #events: number;
  /** True while the table has confirmed events, because removing them failed on a full disk. */
  #isBehind = false;
  /** Whether the database is open; the `DatabaseSync` of Node.js 22.13 does not tell. */
  #isOpen = false;
  #isClosed = false;

  constructor(settings: DatabaseSettings) {
    this.#settings = settings;
    this.#lock = lockFile(settings.path);
    try {
      this.#open();
    } catch (error) {
      this.#lock.close();
      throw error;
    }
    this.#events = Number(this.#statements.count.get()?.["events"]);
  }

  #open(): void {
    const database = openDatabase(this.#settings, this.#cursor);
    try {
      this.#statements = prepareStatements(database);
    } catch (error) {
      database.close();
      throw sqliteError(this.#settings.path, error);
    }
    this.#database = database;
    this.#isOpen = true;
  }

  async append(events: readonly OutboxEvent[]): Promise<void> {
    const now = Date.now();
    this.#run("append", () => {
      if (!this.#isOpen) this.#open();
      this.#catchUp();
      this.#transact(() => {
        for (const { json, bytes } of events) this.#statements.insert.run(json, bytes, now);
      });
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

  /** Also succeeds on a full disk. The events then leave the table when there is room, or with the whole file. */
  async confirm(entries: readonly OutboxEntry[]): Promise<void> {
    const confirmed = [...new Set(entries)].filter((entry) => this.#taken.has(entry));
    this.#run("confirm", () => {
      if (confirmed.length === 0) return;
      const ids = confirmed.map(({ id }) => Number(id));
      this.#isBehind ||= !(this.#fits(() => this.#remove(ids)) || this.#fitsAfterCheckpoint(() => this.#remove(ids)));
      for (const entry of confirmed) this.#taken.delete(entry);
      this.#events -= confirmed.length;
      this.#catchUp(confirmed.length * 2);
    });
  }

  async release(entries: readonly OutboxEntry[]): Promise<void> {
    this.#run("release", () => {
      for (const entry of entries) if (this.#taken.delete(entry)) this.#makeReady(entry);
    });
  }

  async state(): Promise<OutboxState> {
    return this.#run("state", () => {
      if (this.#events === 0) return { events: 0, oldest: undefined };
      const row = this.#statements.oldest.get(this.#isBehind ? this.#oldestId() : 0) as unknown as Oldest;
      return { events: this.#events, oldest: row.appended_at, positions: [row.id, row.newest] };
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    try {
      this.#run("close", () => {
        while (this.#catchUp());
      });
    } finally {
      this.#isClosed = true;
      if (this.#isOpen) this.#database.close();
      this.#lock.close();
    }
  }

  /** Reads events after the cursor until a batch is complete; not more, since they may be large. */
  #read(limit: TakeLimit): void {
    const missing = limit.events - this.#ready.size;
    if (this.#events === 0 || missing <= 0 || this.#readyBytes > limit.bytes) return;
    for (const row of this.#statements.select.iterate(this.#cursor, missing)) {
      const { id, json, bytes } = row as unknown as Row;
      // Released events come before it, so it is read again with the next batch.
      if (this.#ready.size > 0 && this.#readyBytes + bytes > limit.bytes) return;
      this.#cursor = id;
      this.#makeReady({ id: String(id), json, bytes });
    }
  }

  #makeReady(entry: OutboxEntry): void {
    this.#ready.push(entry);
    this.#readyBytes += entry.bytes;
  }

  #remove(ids: readonly number[]): void {
    const [first = 0, last = -1] = [ids[0], ids.at(-1)];
    const isRange = last - first === ids.length - 1 && ids.every((id, index) => id === first + index);
    if (isRange) this.#statements.removeRange.run(first, last);
    else this.#statements.remove.run(JSON.stringify(ids));
  }

  /** Removes confirmed events that are still in the table. Returns false if there is none, or no room to remove them. */
  #catchUp(count = 0): boolean {
    if (!this.#isBehind) return false;
    if (this.#events === 0 && this.#statements.select.get(this.#cursor, 1) === undefined) return this.#startOver();
    const most = Math.max(CATCH_UP, count);
    const kept = JSON.stringify([...this.#taken, ...this.#ready].map(({ id }) => Number(id)));
    let removed: unknown;
    const hasRoom = this.#fits(() => {
      removed = this.#statements.removeConfirmed.run(this.#cursor, kept, most).changes;
    });
    if (hasRoom) this.#isBehind = removed === most;
    return hasRoom;
  }

  /** Removes the file, which has only confirmed events. The next append creates it again, and continues its ids. */
  #startOver(): false {
    this.#database.close();
    this.#isOpen = false;
    removeDatabase(this.#settings.path);
    this.#isBehind = false;
    return false;
  }

  #oldestId(): number {
    let oldest = this.#cursor + 1;
    for (const { id } of [...this.#taken, ...this.#ready]) oldest = Math.min(oldest, Number(id));
    return oldest;
  }

  /** Lets SQLite write to its log from the beginning, if the file has room for what is in the log. */
  #fitsAfterCheckpoint(work: () => void): boolean {
    try {
      this.#database.exec("PRAGMA wal_checkpoint(RESTART)");
    } catch {
      return false;
    }
    return this.#fits(work);
  }

  /** Runs a transaction. Returns false if it failed because the disk or the file is full. */
  #fits(work: () => void): boolean {
    try {
      this.#transact(work);
      return true;
    } catch (error) {
      if (sqliteError(this.#settings.path, error).reason === "full") return false;
      throw error;
    }
  }

  #transact(work: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#database.exec("COMMIT");
    } catch (error) {
      try {
        this.#database.exec("ROLLBACK");
      } catch {
        // SQLite has already rolled back, for example on a full disk.
      }
      throw error;
    }
  }

  #run<Result>(method: string, work: () => Result): Result {
    if (this.#isClosed) throw new OutboxError("closed", `sqliteOutbox: ${method} was called after close`);
    try {
      return work();
    } catch (error) {
      throw sqliteError(this.#settings.path, error);
    }
  }
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string): StatementSync => database.prepare(sql);
  return {
    insert: prepare("INSERT INTO events (json, bytes, appended_at) VALUES (?, ?, ?)"),
    select: prepare("SELECT id, json, bytes FROM events WHERE id > ? ORDER BY id LIMIT ?"),
    remove: prepare("DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))"),
    removeRange: prepare("DELETE FROM events WHERE id BETWEEN ? AND ?"),
    removeConfirmed: prepare(`DELETE FROM events WHERE id IN (
      SELECT id FROM events WHERE id <= ? AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?)`),
    oldest: prepare(`
      SELECT id, appended_at, (SELECT max(id) FROM events) AS newest FROM events WHERE id >= ? ORDER BY id LIMIT 1`),
    count: prepare("SELECT count(*) AS events FROM events"),
  };
}
