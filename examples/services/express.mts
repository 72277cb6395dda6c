// An Express service that counts usage, receives webhooks, and loses no event when it stops or crashes.
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { createClient } from "@billing-service/sdk/2025-01";
import { createWebhookHandler, toNodeListener } from "@billing-service/sdk/2025-01/webhooks";
import { createEventBuffer } from "@billing-service/sdk/usage";
import { sqliteOutbox } from "@billing-service/sdk/usage/sqlite";
import express from "express";
import { sqliteSeen } from "./seen.mts";

const { BILLING_TOKEN, BILLING_URL, WEBHOOK_SECRET, CUSTOMER_ID = "", PORT = "3000" } = process.env;

// In a container, these files need a volume.
const database = new DatabaseSync("service.db");
database.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS usage (external_id TEXT PRIMARY KEY, event TEXT);
  CREATE TABLE IF NOT EXISTS rejected (event TEXT, problems TEXT);
`);
const record = database.prepare("INSERT OR IGNORE INTO usage VALUES (?, ?)");
const reject = database.prepare("INSERT INTO rejected VALUES (?, ?)");

const billing = createClient({ accessToken: BILLING_TOKEN, baseUrl: BILLING_URL });
const usage = createEventBuffer(billing, {
  outbox: sqliteOutbox("usage.db"),
  onRejected: (events) => {
    for (const { event, problems } of events) reject.run(JSON.stringify(event), JSON.stringify(problems));
  },
});
const webhooks = createWebhookHandler({
  secret: WEBHOOK_SECRET,
  seen: sqliteSeen(database),
  on: { "order.paid": (event) => console.log("paid:", event.id) },
});

const app = express();
app.post("/webhooks", toNodeListener(webhooks)); // before express.json()
app.use(express.json());
app.post("/labels/:order", async (request, response) => {
  // A request that the caller retries has the same id, so it is counted once.
  const external_id = `label-${request.params.order}`;
  // In your app, the customer is from your authentication.
  const event = { name: "label.printed", customer_id: CUSTOMER_ID, external_id, timestamp: new Date() };
  try {
    await usage.add(event); // resolves once the event is in usage.db
    record.run(external_id, JSON.stringify(event)); // to reconcile later
    response.send("printed");
  } catch (error) {
    console.error("not counted:", error);
    response.status(503).send("Try again later.");
  }
});

export const server = app.listen(PORT);

export async function stop(): Promise<void> {
  // Otherwise, busy keep-alive connections send requests until they are cut.
  server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
  server.close(); // accepts no new connections
  // Requests that take longer than 20 seconds are ended, so that `usage.close` is reached.
  setTimeout(() => server.closeAllConnections(), 20_000).unref();
  await once(server, "close"); // they have ended
  // `close` rejects if the outbox cannot be reached. The outbox keeps the events.
  await usage.close({ timeout: 20_000 }).catch(console.error);
}
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, stop);
