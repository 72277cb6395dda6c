import type { DatabaseSync } from "node:sqlite";
import { OutboxError } from "../outbox/index.ts";
import { sqliteError } from "./sqlite-error.ts";

/** Identifies the file in its header: `bill` in ASCII. */
const APPLICATION_ID = 0x62696c6c;
/** Counts changes of the tables. */
const SCHEMA_VERSION = 1;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
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
  readonly maxFileBytes: number | undefined;
}

/**
 * Opens the database of an outbox, or creates it. A file that is not one is not changed.
 *
 * @throws {@link OutboxError} if it cannot be opened or used.
 */
export function openDatabase(settings: DatabaseSettings): DatabaseSync {
  const { DatabaseSync: Database } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    database = new Database(settings.path);
    prepare(database, settings);
    return database;
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
  const problem = `node:sqlite is missing in ${version}; it needs Node.js 22.13 or newer`;
  throw new OutboxError("unsupported", `sqliteOutbox: ${problem}`);
}

function prepare(database: DatabaseSync, { path, survivesPowerLoss, maxFileBytes }: DatabaseSettings): void {
  // One process at a time: the lock ends with the process, even if it is killed.
  database.exec("PRAGMA locking_mode = EXCLUSIVE");
  requireOwnFile(database, path);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${survivesPowerLoss ? "FULL" : "NORMAL"}`);
  database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
  requireIntact(database, path);
  if (maxFileBytes !== undefined) limitPages(database, maxFileBytes);
}

function requireOwnFile(database: DatabaseSync, path: string): void {
  const application = readNumber(database, "application_id");
  const isEmpty = database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
  if (application !== APPLICATION_ID && !(application === 0 && isEmpty)) {
    throw new OutboxError(
      "foreign",
      `sqliteOutbox: ${path}: the database belongs to another program; use another path`,
    );
  }
  const version = readNumber(database, "user_version");
  if (version <= SCHEMA_VERSION) return;
  const problem = `was written by a newer version of this package (format ${version}, known: ${SCHEMA_VERSION})`;
  throw new OutboxError("foreign", `sqliteOutbox: ${path}: ${problem}`);
}

function requireIntact(database: DatabaseSync, path: string): void {
  const [result] = database.prepare("PRAGMA quick_check(1)").all() as [{ readonly quick_check: string }];
  if (result.quick_check === "ok") return;
  throw sqliteError(path, Object.assign(new Error(result.quick_check), { errcode: 11 }));
}

function limitPages(database: DatabaseSync, maxFileBytes: number): void {
  const pages = Math.max(1, Math.floor(maxFileBytes / readNumber(database, "page_size")));
  database.exec(`PRAGMA max_page_count = ${pages}`);
}

function readNumber(database: DatabaseSync, pragma: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
}
