import type { DatabaseSync, StatementSync } from "node:sqlite";
import { OutboxError, type OutboxErrorReason } from "./outbox.ts";

/** Identifies the file in its header: `bill` in ASCII. */
const APPLICATION_ID = 0x62696c6c;
/** Counts changes of the tables. */
const SCHEMA_VERSION = 1;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY,
    json TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    appended_at INTEGER NOT NULL
  ) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** Settings of a database. */
export interface DatabaseSettings {
  readonly path: string;
  readonly survivesPowerLoss: boolean;
}

/**
 * Creates the file of an outbox unless it exists, readable only by its owner, and returns its absolute path, which stays the same
 * if the process changes its folder. SQLite gives the same permissions to its log.
 */
export function createFile(path: string): string {
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
export function identityOf(path: string): string | undefined {
  const found = process.getBuiltinModule("node:fs").statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** The prepared statements of an outbox. */
export type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string): StatementSync => database.prepare(sql);
  return {
    begin: prepare("BEGIN"),
    commit: prepare("COMMIT"),
    rollback: prepare("ROLLBACK"),
    insert: prepare("INSERT INTO events (id, json, bytes, appended_at) VALUES (?, ?, ?, ?)"),
    select: prepare("SELECT id, json, bytes FROM events WHERE id > ? ORDER BY id"),
    remove: prepare("DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))"),
    oldest: prepare("SELECT id, appended_at, (SELECT max(id) FROM events) AS newest FROM events ORDER BY id LIMIT 1"),
  };
}

/**
 * Opens the database of an outbox, or creates it, counts its events, and finds the newest id. Any other file keeps its content; SQLite only moves
 * a log that another program left into its database. Opening a database on a full disk needs no room.
 *
 * @throws {@link OutboxError} if it cannot be opened or used.
 */
export function openDatabase(settings: DatabaseSettings) {
  const { DatabaseSync: Database } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    database = new Database(settings.path);
    prepare(database, settings);
    hideFromOthers(settings.path);
    const events = readNumber(database, "SELECT count(*) FROM events");
    const newest = readNumber(database, "SELECT coalesce(max(id), 0) FROM events");
    return { database, events, newest, statements: prepareStatements(database) };
  } catch (error) {
    database?.close();
    throw sqliteError(settings.path, error);
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

function prepare(database: DatabaseSync, { path, survivesPowerLoss }: DatabaseSettings): void {
  // In this mode, the file is locked from its first use as a WAL database until it is closed, with the log's index in memory.
  database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY");
  requireOwnFile(database, path);
  database.exec("PRAGMA journal_size_limit = 5000000");
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${survivesPowerLoss ? "FULL" : "NORMAL"}`);
  if (readNumber(database, "PRAGMA user_version") === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
  limitFile(database, path);
}

/** The room on the disk that the file leaves for the log, in bytes: without it, sent events could not be removed. */
const RESERVE = 20_000_000;

/** Limits the size of the file to the free space on the disk, less the room for the log. */
export function limitFile(database: DatabaseSync, path: string): void {
  const { statfsSync, statSync } = process.getBuiltinModule("node:fs");
  try {
    const { blocks, bavail, bsize } = statfsSync(process.getBuiltinModule("node:path").dirname(path));
    if (blocks === 0) return; // A file system without a limit.
    const pages = Math.floor(
      (statSync(path).size + bavail * bsize - RESERVE) / readNumber(database, "PRAGMA page_size"),
    );
    // SQLite changes a number that is too high or less than the file has, but ignores 0.
    database.exec(`PRAGMA max_page_count = ${Math.max(1, pages)}`);
  } catch {
    // In Deno, it needs a permission.
  }
}

function requireOwnFile(database: DatabaseSync, path: string): void {
  const application = readNumber(database, "PRAGMA application_id");
  const isEmpty = database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
  const isOwn = application === APPLICATION_ID || (application === 0 && isEmpty);
  const version = readNumber(database, "PRAGMA user_version");
  const newer = `was written by a newer version of this package (format ${version}, known: ${SCHEMA_VERSION})`;
  const problem = isOwn
    ? version > SCHEMA_VERSION && newer
    : "the database belongs to another program; use another path";
  if (problem) throw new OutboxError("foreign", `sqliteOutbox: ${path}: ${problem}`);
}

function readNumber(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0]);
}

const FULL =
  "the disk is full, or a quota or a limit of the file size is reached (free at least 20 MB); stored events are kept";

/** The result codes of SQLite that have an explanation (https://sqlite.org/rescode.html). */
const EXPLANATIONS: Readonly<Record<number, readonly [reason: OutboxErrorReason, text: string]>> = {
  5: ["in-use", "it is already open; only one outbox of one process may use it at a time"],
  11: ["corrupt", "the database is damaged; move the file away, and recover its events with the sqlite3 program"],
  13: ["full", FULL],
  14: ["unavailable", "it cannot be opened; its folder must exist and be writable"],
  26: ["corrupt", "it is not an SQLite database, or its beginning is damaged; move the file away"],
  // The lock of a file that may only be read, or of one on a network drive.
  3850: ["unavailable", "it cannot be locked; it must be writable, and on a local disk"],
  // A failed write with another cause than a full disk.
  778: ["full", FULL],
};

/** Turns an error of `node:sqlite` into an {@link OutboxError} that names the file and the cause. */
export function sqliteError(path: string, error: unknown): OutboxError {
  if (error instanceof OutboxError) return error;
  const { errcode = 0, message } = error as { readonly errcode?: number; readonly message?: string };
  // The lower byte of an extended code is the primary code.
  const explanation = EXPLANATIONS[errcode] ?? EXPLANATIONS[errcode & 0xff];
  const [reason, text] = explanation ?? (["unavailable", message ?? "unknown error"] as const);
  return new OutboxError(reason, `sqliteOutbox: ${path}: ${text}`, { cause: error });
}
