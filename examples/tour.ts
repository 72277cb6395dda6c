import { readFileSync } from "node:fs";
import { contract as deprecated } from "@billing-service/sdk/2024-10";
import {
  type BillingClient,
  type Call,
  createClient,
  contract as current,
  type Event,
  type IngestResponse,
  type WebhookEndpoint,
} from "@billing-service/sdk/2025-01";
import { createClient as createNextClient, contract as next } from "@billing-service/sdk/2025-04";
import { createMock, type Mock, type SupportedVersions } from "@billing-service/sdk/mock";
import { ingestAll } from "@billing-service/sdk/usage";
import { createClient as createSampleClient } from "./next-sample/client.ts";
import { nextSample } from "./next-sample/contract.ts";

/** The numbers of events after an ingestion. */
export interface Ingested {
  readonly inserted: number;
  readonly duplicates: number;
  readonly rejected: number;
}

/** A file of usage events, ingested twice. */
export interface Usage {
  readonly file: string;
  readonly first: Ingested;
  /** Every event that has an `external_id` is now a duplicate. */
  readonly second: Ingested;
}

/** An app, the user or organization that it asks, and the scopes that it requests. */
export interface Authorization {
  readonly client: string | null;
  readonly subject: string | undefined;
  readonly scopes: readonly string[];
  readonly organizations: readonly string[];
}

/** The error of a rejected call. */
export interface RejectedCall {
  readonly name: string;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly message: string;
}

/** A call with a version's client, and its result: the counts, or the error message. */
export interface VersionedCall {
  readonly version: string;
  readonly result: string;
}

/** A release, and a program's upgrade to the new Next. */
export interface Upgrade {
  readonly versions: SupportedVersions;
  readonly calls: readonly VersionedCall[];
  /** The delivery versions before and after the endpoint was updated. */
  readonly deliveries: readonly string[];
}

/** A webhook endpoint without its secret, which only the receiver may see. */
export type ShownEndpoint = Pick<WebhookEndpoint, "id" | "url" | "events" | "format" | "api_version">;

/** The results of the tour. */
export interface Account {
  readonly endpoint: ShownEndpoint;
  readonly usage: Usage;
  readonly authorization: Authorization;
  readonly rejectedCall: RejectedCall;
  readonly upgrade: Upgrade;
}

/** Runs the tour against a mock. */
export async function tour(file: string): Promise<Account> {
  const mock = createMock();
  const billing = connect(mock);
  return {
    endpoint: await createAndRead(billing),
    usage: await ingestTwice(billing, file),
    authorization: await lookUp(mock),
    rejectedCall: await callWithoutScope(mock),
    upgrade: await upgrade(),
  };
}

/** Creates a client that sends its requests to `mock.fetch`. */
function connect(mock: Mock): BillingClient {
  return createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });
}

async function createAndRead(billing: BillingClient): Promise<ShownEndpoint> {
  const created = await billing.webhooks.createEndpoint({
    url: "https://shop.example/webhooks",
    format: "raw",
    events: ["order.paid", "subscription.canceled"],
  });
  const { id, url, events, format, api_version } = await billing.webhooks.getEndpoint(created.id);
  return { id, url, events, format, api_version };
}

/** Every event of the file has an `external_id`, so that those of the second time are duplicates. */
async function ingestTwice(billing: BillingClient, file: string): Promise<Usage> {
  const first = await ingest(billing, file);
  const second = await ingest(billing, file);
  return { file, first, second };
}

async function ingest(billing: BillingClient, file: string): Promise<Ingested> {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const events = lines.map((line) => JSON.parse(line) as Event);
  const { inserted, duplicates, rejected } = await ingestAll(billing, events);
  return { inserted, duplicates, rejected };
}

/** Reads the data for a consent screen. */
async function lookUp(mock: Mock): Promise<Authorization> {
  const program = mock.oauthClients.create({ client_name: "Usage Dashboard" });
  const billing = createClient({ accessToken: mock.issueToken({ type: "oidc" }), fetch: mock.fetch });
  const query = { client_id: program.client_id, scope: "openid events:read meters:read" };
  const { client, scopes, organizations, ...who } = await billing.oauth2.authorize(query);
  return {
    client: client.client_name,
    subject: who.sub_type === "user" ? who.sub.email : String(who.sub?.["name"]),
    scopes,
    organizations: organizations.map(({ name }) => name),
  };
}

/** Ingests events with a token that may only read webhooks. */
async function callWithoutScope(mock: Mock): Promise<RejectedCall> {
  const billing = createClient({ accessToken: mock.issueToken({ scopes: ["webhooks:read"] }), fetch: mock.fetch });
  const { ok, error } = await billing.events.ingest([{ name: "api.call", external_customer_id: "you" }]).safe();
  if (ok) throw new Error("The service accepted a token without the scope.");
  const { name, message } = error;
  return error.name === "ApiError"
    ? { name, status: error.status, code: error.code, message }
    : { name, status: undefined, code: undefined, message };
}

/** Makes a release in a mock, and upgrades a program to the new Next, which is an example with changes. */
async function upgrade(): Promise<Upgrade> {
  const mock = createMock({ contracts: [deprecated, current, next, nextSample(next)] });
  const versions = mock.release();
  const options = { accessToken: mock.issueToken(), fetch: mock.fetch };
  const before = createNextClient(options);
  const after = createSampleClient(options);

  const search = { name: "api.search.completed.v1", external_customer_id: "you" };
  const upgraded = { ...search, source: "gateway", properties: { path: "/v1/search" } };
  const calls = [
    await resultOf(before.version, before.events.ingest([{ ...search, metadata: { path: "/v1/search" } }])),
    await resultOf(after.version, after.events.ingest([upgraded])),
    await resultOf(after.version, after.events.ingest([{ ...upgraded, name: "api.search" }])),
  ];

  const endpoint = mock.webhookEndpoints.create({ api_version: versions.current });
  mock.webhooks.receive(endpoint.url, () => new Response());
  mock.webhooks.emit("order.paid", { id: "ord_1" });
  await before.webhooks.updateEndpoint(endpoint.id, { api_version: versions.next });
  mock.webhooks.emit("order.paid", { id: "ord_2" });
  await mock.webhooks.idle();
  const deliveries = mock.webhooks.deliveries.list().map(({ headers }) => String(headers["webhook-api-version"]));
  return { versions, calls, deliveries };
}

async function resultOf(version: string, call: Call<IngestResponse>): Promise<VersionedCall> {
  const { ok, data, error } = await call.safe();
  return { version, result: ok ? `${data.inserted} inserted` : error.message };
}
