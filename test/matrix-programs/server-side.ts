// The program for runtimes on a server: uses the package against the standalone server, and stores events in SQLite.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "@billing-service/sdk/mock/server";
import { sqliteOutbox } from "@billing-service/sdk/usage/sqlite";
import { arrange } from "./calls.ts";
import { exercise } from "./exercise.ts";

async function main(): Promise<void> {
  // Some versions of Node.js warn that node:sqlite is experimental.
  process.removeAllListeners("warning");
  const server = await startServer({ port: 0 });
  arrange(server.mock);
  const report = await exercise({ baseUrl: server.url, accessToken: server.mock.issueToken() });
  await server.close({ grace: 0 });
  console.log(JSON.stringify({ ...report, stored: await store("one", "two") }));
}

/** Appends events to an outbox, which is opened again for each, and returns the number of stored events. */
async function store(...ids: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "outbox-"));
  let stored = 0;
  for (const external_id of ids) {
    const outbox = sqliteOutbox(join(folder, "usage.db"));
    const json = JSON.stringify({ name: "call", external_id });
    await outbox.append([{ json, bytes: json.length }]);
    stored = (await outbox.state()).events;
    await outbox.close();
  }
  rmSync(folder, { recursive: true });
  return stored;
}

void main();
