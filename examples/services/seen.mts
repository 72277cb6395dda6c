import type { DatabaseSync } from "node:sqlite";
import type { SeenStore } from "@billing-service/sdk/2025-01/webhooks";

export function sqliteSeen(database: DatabaseSync): SeenStore {
  database.exec(`
    CREATE TABLE IF NOT EXISTS seen (key TEXT PRIMARY KEY, value TEXT, expires INTEGER);
    CREATE INDEX IF NOT EXISTS seen_expires ON seen (expires);
  `);
  const get = database.prepare("SELECT value FROM seen WHERE key = ? AND expires > ?");
  const set = database.prepare("REPLACE INTO seen VALUES (?, ?, ?)");
  const add = database.prepare("INSERT OR IGNORE INTO seen VALUES (?, ?, ?)");
  const expire = database.prepare("DELETE FROM seen WHERE expires <= ?");
  const remove = database.prepare("DELETE FROM seen WHERE key = ?");
  return {
    get: (key) => get.get(key, Date.now())?.value,
    set: (key, value, ttl) => void set.run(key, value, Date.now() + ttl),
    add: (key, value, ttl) => {
      expire.run(Date.now()); // otherwise, an expired claim would block its event
      return add.run(key, value, Date.now() + ttl).changes === 1;
    },
    delete: (key) => remove.run(key),
  };
}
