/**
 * Stores usage events in a file until they are sent, so that they survive a crash.
 *
 * @module usage/sqlite
 */
import type { DatabaseSync } from "node:sqlite";
import { Checks } from "../errors/checks.ts";
import { describeValue } from "../values/describe.ts";
import {
  type NewOutboxEvent,
  type Outbox,
  OutboxError,
  type OutboxEvent,
  type OutboxState,
  type TakeLimit,
} from "./outbox.ts";
import {
  createFile,
  type DatabaseSettings,
  identityOf,
  limitFile,
  openDatabase,
  type Statements,
  sqliteError,
} from "./sqlite-database.ts";

/** Options for `sqliteOutbox`. All are optional. */
export interface SqliteOutboxOptions {
  /**
   * Whether `add` waits until the event is on the disk, so that it survives a power failure or an operating system crash.
   * Defaults to false: adding is faster, and events survive only a process crash.
   */
  readonly survivesPowerLoss?: boolean | undefined;
}

/**
 * Opens an outbox in an SQLite file. Events survive a process crash. Only one process at a time can use the file. Needs
 * `node:sqlite`: Node.js 22.13, Bun 1.4, Deno 2.9, or newer.
 *
 * To limit the file, set `maxQueued` of the buffer. It is full when only 20 MB are free on the disk (in Deno, only with
 * `--allow-sys`): SQLite needs them to remove sent events. If another program fills the disk, the buffer may have to wait
 * before it can do that and send more. If the log of the file is damaged, some or all of the newest events are lost.
 *
 * @param path The path of the file, on a local disk. If the file does not exist, it is created, readable only by its owner. Its
 *   directory must exist.
 * @throws `InvalidInputError` when an argument is invalid, or `OutboxError` with the reason `unsupported`, `in-use`, `foreign`,
 *   `corrupt` or `unavailable`.
 */
export function sqliteOutbox(path: string, options: SqliteOutboxOptions = {}): Outbox {
  const check = new Checks({ caller: "sqliteOutbox" });
  const given = check.fields("options", options, ["survivesPowerLoss"]);
  // SQLite opens something else for these.
  const isPath = typeof path === "string" && path !== "" && path !== ":memory:" && !path.startsWith("file:");
  check.must(isPath, "path", "be the path of a file", path, describeValue);
  const survivesPowerLoss = check.boolean("survivesPowerLoss", given.survivesPowerLoss ?? false);
  return new SqliteOutbox({ path: createFile(path), survivesPowerLoss });
}

/** Keeps its leases in memory: when the process ends, every event that is not confirmed is available again. */
class SqliteOutbox implements Outbox {
  readonly durable = true;
  readonly #settings: DatabaseSettings;
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  /** The ids of the leased events. */
  readonly #taken = new Set<number>();
  /** What identified the file when it was opened, and the time at which that was last compared. */
  readonly #identity: string | undefined;
  #comparedAt = performance.now();
  /** Set once the file was renamed, deleted or replaced. */
  #moved: OutboxError | undefined;
  #hasReported = false;
  /** Every event up to this id is leased or removed. */
  #cursor = 0;
  #events: number;
  /** The id of the newest event. Ids are not used again, because they are positions. */
  #newest: number;
  #isClosed = false;

  constructor(settings: DatabaseSettings) {
    this.#settings = settings;
    const opened = openDatabase(settings);
    this.#identity = identityOf(settings.path);
    [this.#database, this.#statements] = [opened.database, opened.statements];
    [this.#events, this.#newest] = [opened.events, opened.newest];
  }

  async append(events: readonly NewOutboxEvent[]): Promise<void> {
    const now = Date.now();
    const moved = this.#compare();
    if (moved !== undefined) throw moved;
    const limit = (): void => limitFile(this.#database, this.#settings.path);
    this.#run("append", () => this.#change(() => this.#insert(events, now), limit));
    this.#events += events.length;
    this.#newest += events.length;
  }

  /**
   * Reads at most one event more than it returns, because events can be large. Rejects once if the file was moved, so that the
   * buffer reports it even if no event is added after that.
   */
  async take(limit: TakeLimit): Promise<readonly OutboxEvent[]> {
    const moved = this.#hasReported ? undefined : this.#compare();
    this.#hasReported ||= moved !== undefined;
    if (moved !== undefined) throw moved;
    return this.#run("take", () => {
      const events: OutboxEvent[] = [];
      let size = 0;
      for (const row of this.#statements.select.iterate(this.#cursor)) {
        const { id, json, bytes } = row as { id: number; json: string; bytes: number };
        if (this.#taken.has(id)) continue;
        size += bytes;
        if (events.length > 0 && size > limit.bytes) break;
        events.push({ id: String(id), json, bytes });
        if (events.length === limit.events) break;
      }
      for (const { id } of events) this.#taken.add(Number(id));
      this.#cursor = Number(events.at(-1)?.id ?? this.#cursor);
      return events;
    });
  }

  async confirm(events: readonly OutboxEvent[]): Promise<void> {
    this.#run("confirm", () => {
      const ids = [...new Set(events.map(({ id }) => Number(id)))].filter((id) => this.#taken.has(id));
      if (ids.length === 0) return;
      const remove = (): void => void this.#statements.remove.run(JSON.stringify(ids));
      // Lets SQLite write to its log from the beginning.
      this.#change(remove, () => this.#database.exec("PRAGMA wal_checkpoint(RESTART)"));
      for (const id of ids) this.#taken.delete(id);
      this.#events -= ids.length;
    });
  }

  async release(events: readonly OutboxEvent[]): Promise<void> {
    this.#run("release", () => {
      const ids = events.map(({ id }) => Number(id)).filter((id) => this.#taken.delete(id));
      this.#cursor = Math.min(this.#cursor, ...ids.map((id) => id - 1));
    });
  }

  async state(): Promise<OutboxState> {
    return this.#run("state", () => {
      if (this.#events === 0) return { events: 0, oldest: undefined };
      const { id, appended_at, newest } = this.#statements.oldest.get() as { [column: string]: number };
      return { events: this.#events, oldest: appended_at, positions: [id as number, newest as number] };
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#database.close();
  }

  /** Returns an error if the path no longer leads to the open file, looking at most once a second: a crash would lose its log. */
  #compare(): OutboxError | undefined {
    if (this.#moved !== undefined || performance.now() - this.#comparedAt < 1_000) return this.#moved;
    this.#comparedAt = performance.now();
    if (identityOf(this.#settings.path) === this.#identity) return undefined;
    const problem =
      "the file was renamed, deleted or replaced while it was open, so events in it would be lost in a crash";
    const advice = "No event is added; those in it are still sent. Restart the process to open the file at this path";
    this.#moved = new OutboxError("foreign", `sqliteOutbox: ${this.#settings.path}: ${problem}. ${advice}`);
    return this.#moved;
  }

  /** Changes the database: all or nothing. If it is full, makes room and tries again. */
  #change(work: () => void, makeRoom: () => void): void {
    try {
      work();
    } catch (error) {
      if (sqliteError(this.#settings.path, error).reason !== "full") throw error;
      makeRoom();
      work();
    }
  }

  #insert(events: readonly NewOutboxEvent[], now: number): void {
    const { begin, commit, insert, rollback } = this.#statements;
    const insertAll = (): void => {
      let id = this.#newest;
      for (const { json, bytes } of events) insert.run(++id, json, bytes, now);
    };
    if (events.length === 1) {
      insertAll();
      return;
    }
    begin.run();
    try {
      insertAll();
      commit.run();
    } catch (error) {
      try {
        rollback.run();
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
