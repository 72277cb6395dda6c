// A Hono app that counts usage, calls the API and receives webhooks. In Bun, use `export default { fetch: app.fetch }` instead of
// `serve`; in Deno, `Deno.serve(app.fetch)`.
import { once } from "node:events";
import type { Server } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { createClient, isApiError } from "@billing-service/sdk/2025-01";
import { createWebhookHandler } from "@billing-service/sdk/2025-01/webhooks";
import { createEventBuffer } from "@billing-service/sdk/usage";
import { sqliteOutbox } from "@billing-service/sdk/usage/sqlite";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { sqliteSeen } from "./seen.mts";

const { BILLING_TOKEN, BILLING_URL, WEBHOOK_SECRET, CUSTOMER_ID = "", PORT = "3000" } = process.env;
const billing = createClient({ accessToken: BILLING_TOKEN, baseUrl: BILLING_URL });
const usage = createEventBuffer(billing, { outbox: sqliteOutbox("usage.db") });
const webhooks = createWebhookHandler({
  secret: WEBHOOK_SECRET,
  seen: sqliteSeen(new DatabaseSync("service.db")),
  on: { "order.paid": (event) => console.log("paid:", event.id) },
});

export const app = new Hono();
app.post("/webhooks", (context) => webhooks(context.req.raw));
app.post("/labels/:order", async (context) => {
  const external_id = `label-${context.req.param("order")}`; // a retry counts once
  // In your app, the customer is from your authentication.
  await usage.add({ name: "label.printed", customer_id: CUSTOMER_ID, external_id, timestamp: new Date() });
  return context.text("printed");
});
app.get("/products", async (context) => {
  const { signal } = context.req.raw; // aborts when the caller disconnects
  return context.json(await billing.products.list({ limit: 20 }, { signal }));
});

const statuses = [408, 429, 500, 502, 503, 504];
const names = ["NetworkError", "TimeoutError", "EventBufferError", "OutboxError"];
// After a temporary failure, or if the outbox is full, the caller can try again. Never pass on the service's 401 or 403.
app.onError((error, context) => {
  if (error instanceof HTTPException) return error.getResponse(); // thrown by a middleware
  if (error.name === "AbortedError") return context.body(null, 503); // nobody receives it
  console.error(error.name);
  const response = isApiError(error) ? error.response : undefined;
  const isTemporary = response ? statuses.includes(response.status) : names.includes(error.name);
  if (!isTemporary) return context.text("Internal Server Error", 500);
  const retryAfter = response?.headers.get("Retry-After");
  if (retryAfter) context.header("Retry-After", retryAfter);
  return context.text("Try again later.", 503);
});

export const server = serve({ fetch: app.fetch, port: Number(PORT) }) as Server;

export async function stop(): Promise<void> {
  // Otherwise, busy keep-alive connections send requests until they are cut.
  server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
  server.close(); // accepts no new connections
  setTimeout(() => server.closeAllConnections(), 20_000).unref(); // ends requests that take longer
  await once(server, "close"); // the others have ended
  await usage.close({ timeout: 20_000 }).catch(console.error);
}
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, stop);
