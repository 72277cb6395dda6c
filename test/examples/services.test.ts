import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { newFolder } from "../support/new-folder.ts";
import { run } from "../support/workspace.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Starts the mock, and sets the environment that the services read. */
const START = `
import { once } from "node:events";
import { connect } from "node:net";
import { startServer } from "@billing-service/sdk/mock/server";
const { mock, url, close } = await startServer();
const endpoint = mock.webhookEndpoints.create({ url: "https://app.example/webhooks" });
const CUSTOMER_ID = mock.customers.create().id;
const BILLING_TOKEN = mock.issueToken({ scopes: ["events:write", "products:read"] });
Object.assign(process.env, { BILLING_TOKEN, BILLING_URL: url, WEBHOOK_SECRET: endpoint.secret, CUSTOMER_ID, PORT: "0" });
const deliver = async () => {
  mock.webhooks.emit("order.paid", { id: "ord_1" });
  await mock.webhooks.idle();
  return mock.webhooks.deliveries.list()[0]?.response_status;
};
// Stops while a keep-alive connection sends a request and then another. Returns the responses.
const stopBusy = async (server, stop) => {
  const socket = connect(server.address().port).setEncoding("utf8");
  socket.write("POST /none HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 1\\r\\n\\r\\n");
  await once(server, "request");
  const stopped = stop();
  socket.write("xGET /none HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n");
  const responses = (await socket.toArray()).join("");
  await stopped;
  return responses;
};
`;

/** Runs a program in a new folder, in which the services keep their files. Returns what it printed. */
async function output(program: string): Promise<string> {
  const folder = newFolder();
  mkdirSync(join(folder, "node_modules/@billing-service"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/@billing-service/sdk"));
  const code = START + program.replace("services/", `${root}examples/services/`);
  const parameters = ["--input-type=module", "--eval", code];
  const { status, output: printed } = await run(process.execPath, parameters, folder);
  expect(status, printed).toBe(0);
  return printed;
}

it("the Express service counts a repeated request once, receives webhooks, and closes busy connections", async () => {
  const printed = await output(`
    const { server, stop } = await import("services/express.mts");
    if (!server.listening) await once(server, "listening");
    const service = "http://localhost:" + server.address().port;
    for (const order of ["1", "2", "2"]) await fetch(service + "/labels/" + order, { method: "POST" });
    mock.webhookEndpoints.update(endpoint.id, { url: service + "/webhooks" });
    console.log("webhook:", await deliver());
    console.log(await stopBusy(server, stop));
    console.log(mock.events.size, "events");
    await close();`);
  expect(printed).toMatch(/paid: .*\nwebhook: 204\n.*Connection: close.*\n2 events\n/s);
});

it("the Fastify app counts a successful request, and receives webhooks", async () => {
  const printed = await output(`
    const { app } = await import("services/fastify.mts");
    await app.inject({ url: "/quote", headers: { "x-customer": CUSTOMER_ID } });
    mock.webhooks.receive(endpoint.url, async (request) => {
      const headers = Object.fromEntries(request.headers);
      const reply = await app.inject({ method: "POST", url: "/webhooks", headers, payload: await request.text() });
      return new Response(null, { status: reply.statusCode });
    });
    console.log("webhook:", await deliver());
    await app.close();
    console.log(mock.events.size, "event");
    await close();`);
  expect(printed).toMatch(/paid: .*\nwebhook: 204\n1 event\n$/s);
});

it("the Hono app passes on a Retry-After, but not the service's 401, and closes busy connections", async () => {
  const printed = await output(`
    const { app, server, stop } = await import("services/hono.mts");
    if (!server.listening) await once(server, "listening");
    for (const order of [1, 2, 2]) await app.request("/labels/" + order, { method: "POST" });
    mock.webhooks.receive(endpoint.url, (request) => app.request(request));
    console.log("webhook:", await deliver());
    mock.fault({ operation: "products:list", status: 429, retryAfter: 90, times: 1 });
    const limited = await app.request("/products");
    mock.fault({ operation: "products:list", status: 401, times: 1 });
    console.log(limited.status, limited.headers.get("Retry-After"), (await app.request("/products")).status);
    console.log(await stopBusy(server, stop));
    console.log(mock.events.size, "events");
    await close();`);
  expect(printed).toMatch(/webhook: 204\n.*503 90 500\n.*Connection: close.*\n2 events\n/s);
});
