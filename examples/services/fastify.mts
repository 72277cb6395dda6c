// A Fastify app that counts every successful request as usage, and receives webhooks.
import { DatabaseSync } from "node:sqlite";
import { isBillingError } from "@billing-service/sdk";
import { createClient } from "@billing-service/sdk/2025-01";
import { createWebhookHandler } from "@billing-service/sdk/2025-01/webhooks";
import { createEventBuffer } from "@billing-service/sdk/usage";
import { sqliteOutbox } from "@billing-service/sdk/usage/sqlite";
import fastify from "fastify";
import { sqliteSeen } from "./seen.mts";

const { BILLING_TOKEN, BILLING_URL, WEBHOOK_SECRET } = process.env;
const billing = createClient({ accessToken: BILLING_TOKEN, baseUrl: BILLING_URL });
const usage = createEventBuffer(billing, { outbox: sqliteOutbox("usage.db") });
const webhooks = createWebhookHandler({
  secret: WEBHOOK_SECRET,
  seen: sqliteSeen(new DatabaseSync("service.db")),
  on: { "order.paid": (event) => console.log("paid:", event.id) },
});

export const app = fastify({
  // Fastify's own ids start at 1 in every process. A retry by the caller gets another id: it counts as another call.
  genReqId: () => crypto.randomUUID(),
  keepAliveTimeout: 5_000, // by default, `close` can wait 72 seconds for a connection
});
// By default, Fastify responds with an error's status: the service's 401 would become yours.
app.setErrorHandler((error, request, reply) => {
  if (!isBillingError(error)) return reply.send(error);
  request.log.error(error);
  return reply.code(500).send({ message: "Internal Server Error" });
});

// Usage: a hook, Fastify's middleware, for the routes of this plugin.
await app.register(async (plugin) => {
  plugin.addHook("onSend", async (request, reply) => {
    const customer_id = request.headers["x-customer"]; // in your app, from your authentication
    if (reply.statusCode >= 400 || typeof customer_id !== "string") return;
    // If `add` rejects, the caller receives a 500.
    await usage.add({ name: "api.call", customer_id, external_id: request.id, timestamp: new Date() });
  });
  plugin.get("/quote", () => ({ price: 12 }));
});

// Webhooks: this plugin leaves bodies unread, because the signature covers their exact bytes.
await app.register(async (plugin) => {
  plugin.removeAllContentTypeParsers();
  plugin.addContentTypeParser("*", (_request, _body, done) => done(null));
  plugin.post("/webhooks", ({ headers, raw }) => webhooks({ headers, body: raw }));
});

// Shutdown: a request that hangs must not prevent `usage.close`.
app.addHook("preClose", async () => {
  setTimeout(() => app.server.closeAllConnections(), 20_000).unref();
});
// Runs after the requests in progress.
app.addHook("onClose", () => usage.close({ timeout: 20_000 }).catch(console.error));
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => app.close());
