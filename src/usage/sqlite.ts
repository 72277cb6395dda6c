/**
 * Stores usage events in a file until they are sent, so that they survive a crash.
 *
 * @module usage/sqlite
 */
export { type SqliteOutboxOptions, sqliteOutbox } from "./sqlite/sqlite-outbox.ts";
