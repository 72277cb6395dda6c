import { type BillingClient, createClient, type WebhookEndpoint } from "@billing-service/sdk/2025-01";
import { createClient as createNextClient } from "@billing-service/sdk/2025-04";
import { createMock, type Mock } from "@billing-service/sdk/mock";
import { type Ingested, ingestFile } from "./usage-file.ts";

/** A file of usage events, ingested two times. */
export interface Usage {
  readonly file: string;
  readonly first: Ingested;
  /** Every event that has an `external_id` is now a duplicate. */
  readonly second: Ingested;
}

/** Who wants to do what on whose behalf. */
export interface Authorization {
  readonly client: string | null;
  readonly subject: string | undefined;
  readonly scopes: readonly string[];
  readonly organizations: readonly string[];
}

/** A failure, as a program sees it. */
export interface RejectedCall {
  readonly name: string;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly message: string;
}

/** A version that was imported, and the one that processed the request. */
export interface AnsweredVersion {
  readonly imported: string;
  readonly answered: string | undefined;
}

/** A webhook endpoint without its secret, which is for the receiver's eyes alone. */
export type ShownEndpoint = Pick<WebhookEndpoint, "id" | "url" | "events" | "format" | "api_version">;

/** All that the tour comes to. */
export interface Account {
  readonly endpoint: ShownEndpoint;
  readonly usage: Usage;
  readonly authorization: Authorization;
  readonly rejectedCall: RejectedCall;
  readonly versions: readonly AnsweredVersion[];
}

/** Hears how far the ingestion of a file is. */
export type OnProgress = (soFar: Readonly<Ingested>) => void;

/** Visits the service once around, in memory. */
export async function tour(file: string, onProgress: OnProgress): Promise<Account> {
  const mock = createMock();
  const billing = connect(mock);
  return {
    endpoint: await createAndRead(billing),
    usage: await ingestTwice(billing, file, onProgress),
    authorization: await lookUp(mock),
    rejectedCall: await callWithoutScope(mock),
    versions: await moveToNext(mock),
  };
}

/** Ingests a file into a service in memory. */
export function ingestOnly(file: string, onProgress: OnProgress): Promise<Usage> {
  return ingestTwice(connect(createMock()), file, onProgress);
}

/** A client of the mock: its requests go to `mock.fetch`, and none leaves the process. */
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

async function ingestTwice(billing: BillingClient, file: string, onProgress: OnProgress): Promise<Usage> {
  const first = await ingestFile(billing, file, onProgress);
  const second = await ingestFile(billing, file, onProgress);
  return { file, first, second };
}

/** What a screen shows that asks a user to let a program in. */
async function lookUp(mock: Mock): Promise<Authorization> {
  const program = mock.oauthClients.create({ client_name: "Usage Dashboard" });
  const billing = createClient({ accessToken: mock.issueToken({ type: "oidc" }), fetch: mock.fetch });
  const query = { client_id: program.client_id, scope: "openid events:read meters:read" };
  const { client, scopes, organizations, ...who } = await billing.oauth2.authorize(query);
  return {
    client: client.client_name,
    subject: who.sub_type === "user" ? who.sub.email : who.sub?.name,
    scopes,
    organizations: organizations.map(({ name }) => name),
  };
}

/** A token that may read webhooks is not enough to ingest events. */
async function callWithoutScope(mock: Mock): Promise<RejectedCall> {
  const billing = createClient({ accessToken: mock.issueToken({ scopes: ["webhooks:read"] }), fetch: mock.fetch });
  const { ok, error } = await billing.events.ingest([{ name: "api.call", external_customer_id: "you" }]).safe();
  if (ok) throw new Error("The service has accepted a token without the scope.");
  const { name, message } = error;
  return error.name === "ApiError"
    ? { name, status: error.status, code: error.code, message }
    : { name, status: undefined, code: undefined, message };
}

/** The same calls to two versions: what differs is the path that `createClient` is imported from. */
async function moveToNext(mock: Mock): Promise<AnsweredVersion[]> {
  const options = { accessToken: mock.issueToken(), fetch: mock.fetch };
  const versions: AnsweredVersion[] = [];
  for (const billing of [createClient(options), createNextClient(options)]) {
    const { version } = await billing.products.list().withResponse();
    versions.push({ imported: billing.version, answered: version });
  }
  return versions;
}
