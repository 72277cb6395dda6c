// Appends to an outbox in SQLite, opens it again, and prints the number of its events.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteOutbox } from "@billing-service/sdk/usage/sqlite";

async function main(): Promise<void> {
  // Some versions of Node.js warn that node:sqlite is experimental.
  process.removeAllListeners("warning");
  const folder = mkdtempSync(join(tmpdir(), "outbox-"));
  const path = join(folder, "usage.db");
  for (const external_id of ["one", "two"]) {
    const outbox = sqliteOutbox(path);
    const json = JSON.stringify({ name: "call", external_id });
    await outbox.append([{ json, bytes: json.length }]);
    await outbox.close();
  }
  const outbox = sqliteOutbox(path);
  const { events } = await outbox.state();
  await outbox.close();
  rmSync(folder, { recursive: true });
  console.log(JSON.stringify(events));
}

void main();
