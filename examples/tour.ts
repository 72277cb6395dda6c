import { readFileSync } from "node:fs";
import { styleText } from "node:util";
import { contract as deprecated } from "@billing-service/sdk/2024-10";
import { createClient, contract as current, type Event } from "@billing-service/sdk/2025-01";
import { createClient as createNextClient, contract as next } from "@billing-service/sdk/2025-04";
import { createMock, type Mock } from "@billing-service/sdk/mock";
import { ingestAll } from "@billing-service/sdk/usage";
import { createClient as createSampleClient } from "./next-sample/client.ts";
import { nextSample } from "./next-sample/contract.ts";

/** Runs the tour against a mock, and prints each step. */
export async function tour(file: string): Promise<void> {
  console.log(styleText("dim", "The Billing Service in memory. It runs entirely in this process."));
  const mock = createMock();
  await createAndRead(mock);
  await ingestTwice(mock, file);
  await lookUp(mock);
  await callWithoutScope(mock);
  await upgrade();
  console.log(styleText("dim", "\nThe code is in examples/tour.ts. What to try next:"));
  print("a file", "npm start -- examples/usage.jsonl");
  print("a server", "npm run mock");
}

function printTitle(title: string, calls: string): void {
  console.log(`\n${styleText("bold", title)}  ${styleText("dim", calls)}`);
}

function print(label: string, text: string): void {
  console.log(`   ${styleText("dim", label.padEnd(12))} ${text}`);
}

async function createAndRead(mock: Mock): Promise<void> {
  printTitle("1  A webhook endpoint", "webhooks.createEndpoint, webhooks.getEndpoint");
  const billing = createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });
  const created = await billing.webhooks.createEndpoint({
    url: "https://shop.example/webhooks",
    format: "raw",
    events: ["order.paid", "subscription.canceled"],
  });
  const { id, url, events, format, api_version } = await billing.webhooks.getEndpoint(created.id);
  print("id", id);
  print("url", url);
  print("events", events.join(", "));
  print("payloads", `${format}, version ${api_version}`);
}

/** Every event of the file has an `external_id`, so that those of the second time are duplicates. */
async function ingestTwice(mock: Mock, file: string): Promise<void> {
  printTitle("2  A file of usage, ingested twice", "ingestAll");
  print("file", file);
  const billing = createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const batch = lines.map((line) => JSON.parse(line) as Event);
  for (const run of ["first run", "second run"]) {
    const { inserted, duplicates, rejected } = await ingestAll(billing, batch);
    print(run, `${inserted} inserted, ${duplicates} duplicates, ${rejected} rejected`);
  }
}

/** Reads the data for a consent screen. */
async function lookUp(mock: Mock): Promise<void> {
  printTitle("3  An authorization", "oauth2.authorize");
  const program = mock.oauthClients.create({ client_name: "Usage Dashboard" });
  const billing = createClient({ accessToken: mock.issueToken({ type: "oidc" }), fetch: mock.fetch });
  const query = { client_id: program.client_id, scope: "openid events:read meters:read" };
  const { client, scopes, organizations, ...who } = await billing.oauth2.authorize(query);
  print("client", client.client_name ?? "unnamed");
  print("asks", String(who.sub_type === "user" ? who.sub.email : who.sub?.["name"]));
  print("for", scopes.join(", "));
  print("at", organizations.map(({ name }) => name).join(", "));
}

/** Ingests events with a token that may only read webhooks. */
async function callWithoutScope(mock: Mock): Promise<void> {
  printTitle("4  A call that is rejected", "events.ingest, without its scope");
  const billing = createClient({ accessToken: mock.issueToken({ scopes: ["webhooks:read"] }), fetch: mock.fetch });
  const { error } = await billing.events.ingest([{ name: "api.call", external_customer_id: "you" }]).safe();
  if (error?.name !== "ApiError") throw new Error("The service accepted a token without the scope.");
  print("error", styleText("red", `${error.name} ${error.status} ${error.code}`));
  print("message", error.message);
}

/** Simulates a release, and upgrades a program to the new Next, which is an example with changes. */
async function upgrade(): Promise<void> {
  printTitle("5  A release and an upgrade", "mock.release, with an invented next version");
  const mock = createMock({ contracts: [deprecated, current, next, nextSample(next)] });
  const versions = mock.release();
  print("release", `${versions.current} is Current; the new Next, ${versions.next}, is an example with changes`);
  print("changes", "metadata is now properties, source is required, name has at most 20 characters");

  const options = { accessToken: mock.issueToken(), fetch: mock.fetch };
  const before = createNextClient(options);
  const after = createSampleClient(options);
  const search = { name: "api.search.completed.v1", external_customer_id: "you" };
  const { inserted } = await before.events.ingest([{ ...search, metadata: { path: "/v1/search" } }]);
  print(before.version, styleText("green", `${inserted} inserted`));
  const upgraded = { ...search, source: "gateway", properties: { path: "/v1/search" } };
  const { error } = await after.events.ingest([upgraded]).safe();
  print(after.version, `${styleText("red", `${error?.message}`)} (the compiler found the rest)`);
  const fixed = await after.events.ingest([{ ...upgraded, name: "api.search" }]);
  print("fixed", styleText("green", `${fixed.inserted} inserted`));

  const endpoint = mock.webhookEndpoints.create({ api_version: versions.current });
  mock.webhooks.receive(endpoint.url, () => new Response());
  mock.webhooks.emit("order.paid", { id: "ord_1" });
  await before.webhooks.updateEndpoint(endpoint.id, { api_version: versions.next });
  mock.webhooks.emit("order.paid", { id: "ord_2" });
  await mock.webhooks.idle();
  const deliveries = mock.webhooks.deliveries.list().map(({ headers }) => headers["webhook-api-version"]);
  print("webhooks", `${deliveries.join(", and ")} after the endpoint was updated`);
  print("read more", "docs/versions.md");
}
