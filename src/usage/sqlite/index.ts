export { type SqliteOutboxOptions, sqliteOutbox } from "./sqlite-outbox.ts";
