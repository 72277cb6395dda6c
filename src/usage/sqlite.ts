/**
 * Stores usage events in a file until they are sent, so that they survive a crash.
 *
 * @module usage/sqlite
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Checks } from "../errors/checks.ts";
import { describeValue } from "../values/describe.ts";
import {
  type NewOutboxEvent,
  type Outbox,
  OutboxError,
  type OutboxErrorReason,
  type OutboxEvent,
  type OutboxState,
  type TakeLimit,
} from "./outbox.ts";

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
 * To limit the file, set `maxQueued` of the buffer. On a full disk, `add` rejects, and sending pauses until there is room,
 * because SQLite needs some to remove sent events. If the log of the file is damaged, some or all of the newest events are
 * lost.
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
  return new SqliteOutbox(createFile(path), survivesPowerLoss);
}

/** Keeps its leases in memory: when the process ends, every event that is not confirmed is available again. */
class SqliteOutbox implements Outbox {
  readonly durable = true;
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #statements: ReturnType<typeof prepareStatements>;
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

  constructor(path: string, survivesPowerLoss: boolean) {
    this.#path = path;
    const opened = openDatabase(path, survivesPowerLoss);
    this.#identity = identityOf(path);
    [this.#database, this.#statements] = [opened.database, opened.statements];
    [this.#events, this.#newest] = [opened.events, opened.newest];
  }

  async append(events: readonly NewOutboxEvent[]): Promise<void> {
    const moved = this.#compare();
    if (moved !== undefined) throw moved;
    const texts = JSON.stringify(events.map(({ json }) => json));
    this.#run("append", () => this.#statements.insert.run(this.#newest + 1, Date.now(), texts));
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
      this.#statements.remove.run(JSON.stringify(ids));
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
    if (identityOf(this.#path) === this.#identity) return undefined;
    const problem =
      "the file was renamed, deleted or replaced while it was open, so events in it would be lost in a crash";
    const advice = "No event is added; those in it are still sent. Restart the process to open the file at this path";
    this.#moved = new OutboxError("foreign", `sqliteOutbox: ${this.#path}: ${problem}. ${advice}`);
    return this.#moved;
  }

  #run<Result>(method: string, work: () => Result): Result {
    if (this.#isClosed) throw new OutboxError("closed", `sqliteOutbox: ${method} was called after close`);
    try {
      return work();
    } catch (error) {
      throw sqliteError(this.#path, error);
    }
  }
}

/** Identifies the file in its header: `bill` in ASCII. */
const APPLICATION_ID = 0x62696c6c;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, json TEXT NOT NULL, appended_at INTEGER NOT NULL) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
`;

/**
 * Creates the file of an outbox unless it exists, readable only by its owner, and returns its absolute path, which stays the same
 * if the process changes its folder. SQLite gives the same permissions to its log.
 */
function createFile(path: string): string {
  loadSqlite();
  const { closeSync, existsSync, openSync, realpathSync } = process.getBuiltinModule("node:fs");
  try {
    // Closing a file drops every lock that this process holds on it, also the lock of another outbox.
    // Unlike "wx", "a" also creates the target of a symbolic link.
    if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
    return realpathSync(path);
  } catch {
    // Opening the file will fail with an explanation.
    return process.getBuiltinModule("node:path").resolve(path);
  }
}

/** Takes the rights of other users on a file and its log away: events contain personal data. Windows has no such rights. */
function hideFromOthers(path: string): void {
  const { chmodSync, statSync } = process.getBuiltinModule("node:fs");
  const isPublic = (file: string) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
  if (process.platform === "win32") return;
  try {
    for (const file of [path, `${path}-wal`]) if (isPublic(file)) chmodSync(file, 0o600);
  } catch (cause) {
    const problem = "other users may read it, and this user may not change that. Run: chmod 600";
    throw new OutboxError("unavailable", `sqliteOutbox: ${path}: ${problem}`, { cause });
  }
}

/** Returns what identifies a file; undefined if there is none. */
function identityOf(path: string): string | undefined {
  const found = process.getBuiltinModule("node:fs").statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string): StatementSync => database.prepare(sql);
  return {
    insert: prepare("INSERT INTO events (id, json, appended_at) SELECT ? + key, value, ? FROM json_each(?)"),
    select: prepare("SELECT id, json, octet_length(json) AS bytes FROM events WHERE id > ? ORDER BY id"),
    remove: prepare("DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))"),
    oldest: prepare("SELECT id, appended_at, (SELECT max(id) FROM events) AS newest FROM events ORDER BY id LIMIT 1"),
  };
}

/**
 * Opens the database of an outbox, or creates it, counts its events, and finds the newest id. Any other file keeps its content;
 * SQLite only moves a log that another program left into its database.
 *
 * @throws {@link OutboxError} if it cannot be opened or used.
 */
function openDatabase(path: string, survivesPowerLoss: boolean) {
  const { DatabaseSync: Database } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    database = new Database(path);
    prepare(database, path, survivesPowerLoss);
    hideFromOthers(path);
    const events = readNumber(database, "SELECT count(*) FROM events");
    const newest = readNumber(database, "SELECT coalesce(max(id), 0) FROM events");
    return { database, events, newest, statements: prepareStatements(database) };
  } catch (error) {
    database?.close();
    throw sqliteError(path, error);
  }
}

/** Loads `node:sqlite` when it is needed, so that importing this module works in every runtime. */
function loadSqlite(): typeof import("node:sqlite") {
  const sqlite = globalThis.process?.getBuiltinModule?.("node:sqlite");
  if (sqlite !== undefined) return sqlite;
  const version = globalThis.process?.version ?? "this runtime";
  const problem = `node:sqlite is missing in ${version}; it needs Node.js 22.13, Bun 1.4, Deno 2.9, or newer`;
  throw new OutboxError("unsupported", `sqliteOutbox: ${problem}`);
}

function prepare(database: DatabaseSync, path: string, survivesPowerLoss: boolean): void {
  // In this mode, the file is locked from its first use as a WAL database until it is closed, with the log's index in memory.
  database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY");
  requireOwnFile(database, path);
  database.exec("PRAGMA journal_size_limit = 5000000");
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${survivesPowerLoss ? "FULL" : "NORMAL"}`);
  if (readNumber(database, "PRAGMA application_id") === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
}

function requireOwnFile(database: DatabaseSync, path: string): void {
  const application = readNumber(database, "PRAGMA application_id");
  const isEmpty = database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
  if (application === APPLICATION_ID || (application === 0 && isEmpty)) return;
  throw new OutboxError("foreign", `sqliteOutbox: ${path}: the database belongs to another program; use another path`);
}

function readNumber(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0]);
}

const FULL =
  "the disk is full, or a quota or a limit of the file size is reached; stored events are kept, and sent once there is room";

/** The result codes of SQLite that have an explanation (https://sqlite.org/rescode.html). */
const EXPLANATIONS: Readonly<Record<number, readonly [reason: OutboxErrorReason, text: string]>> = {
  5: ["in-use", "it is already open; only one outbox of one process may use it at a time"],
  11: ["corrupt", "the database is damaged; move the file away, and recover its events with the sqlite3 program"],
  13: ["full", FULL],
  14: ["unavailable", "it cannot be opened; its folder must exist and be writable"],
  26: ["corrupt", "it is not an SQLite database, or its beginning is damaged; move the file away"],
  // A failed write with another cause than a full disk.
  778: ["full", FULL],
};

/** Turns an error of `node:sqlite` into an {@link OutboxError} that names the file and the cause. */
function sqliteError(path: string, error: unknown): OutboxError {
  if (error instanceof OutboxError) return error;
  const { errcode = 0, message } = error as { readonly errcode?: number; readonly message?: string };
  // The lower byte of an extended code is the primary code.
  const explanation = EXPLANATIONS[errcode] ?? EXPLANATIONS[errcode & 0xff];
  const [reason, text] = explanation ?? (["unavailable", message ?? "unknown error"] as const);
  return new OutboxError(reason, `sqliteOutbox: ${path}: ${text}`, { cause: error });
}
