import type { ConnectedMock } from "../../mock/connect.ts";
import type { Mock } from "../../mock/index.ts";
import type { SecuritySchemeName } from "../../src/contract/index.ts";
import type { Adapter } from "../support/adapter.ts";
import { NOBODY } from "../support/samples.ts";
import type { CredentialName, FuzzRequest } from "./arbitraries/request.ts";
import type { FuzzAnswer } from "./declared.ts";

/** A mock with records of every kind, for fuzz tests. */
export interface Fuzzed {
  /** The scheme of each credential; undefined for those that are not accepted. */
  readonly schemes: Readonly<Partial<Record<CredentialName, SecuritySchemeName>>>;
  send(request: FuzzRequest): Promise<FuzzAnswer>;
  /** Returns the visible state as a string. */
  state(): Promise<string>;
  /** Restores the initial state, so that the state stays small. */
  restart(): Promise<string>;
}

/** Fills a mock, and prepares its credentials. */
export async function fuzzed({
  mock,
  fetch,
  baseUrl,
}: Pick<Adapter, "fetch" | "baseUrl"> & { readonly mock: Mock | ConnectedMock }): Promise<Fuzzed> {
  const other = await mock.organizations.create({ name: "Other" });
  const ids = [
    (await mock.webhookEndpoints.create()).id,
    (await mock.webhookEndpoints.create({ api_version: "2024-10", format: "slack" })).id,
    (await mock.webhookEndpoints.create({ organization_id: other.id })).id,
  ];
  await mock.customers.create({ external_id: "acme" });
  for (const name of ["Bread", "Rolls"]) await mock.products.create({ name, prices: [{ amount: 1 }] });
  const revoked = await mock.issueToken();
  await mock.revokeToken(revoked);
  const tokens: Record<CredentialName, string | undefined> = {
    oat: await mock.issueToken(),
    pat: await mock.issueToken({ type: "pat" }),
    oidc: await mock.issueToken({ type: "oidc" }),
    scopeless: await mock.issueToken({ scopes: [] }),
    other: await mock.issueToken({ organization: other }),
    revoked,
    expired: await mock.issueToken({ expiresIn: -1 }),
    unknown: "billing_oat_unknown",
    none: undefined,
  };
  const start = await mock.snapshot();
  const { organizations, users, customers, oauthClients, products, webhookEndpoints, events, webhooks } = mock;
  const counted = [organizations, users, customers, oauthClients, products, webhooks.events];
  const state = async () => {
    const sizes = await Promise.all(counted.map(({ size }) => size));
    return JSON.stringify([await webhookEndpoints.list(), await events.list(), sizes]);
  };
  return {
    schemes: { oat: "oat", pat: "pat", oidc: "oidc", scopeless: "oat", other: "oat" },
    send: (request) => send(fetch, baseUrl, request, tokens[request.credential], ids),
    state,
    restart: async () => {
      await mock.restore(start);
      return state();
    },
  };
}

async function send(
  fetch: Adapter["fetch"],
  baseUrl: string,
  { operation: { method, path }, version, contentType, body, ...request }: FuzzRequest,
  token: string | undefined,
  ids: readonly string[],
): Promise<FuzzAnswer> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(idOf(request.path[name], ids)));
  const query = new URLSearchParams(request.query);
  const headers = new Headers(contentType === "" ? {} : { "Content-Type": contentType });
  if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
  if (version !== null) headers.set("Service-Version", version);
  const response = await fetch(`${baseUrl}${filled}?${query}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  return { status: response.status, version: response.headers.get("service-version"), text: await response.text() };
}

function idOf(value: unknown, ids: readonly string[]): string {
  return typeof value === "number" ? (ids[value] ?? NOBODY) : String(value);
}

/** A lone UTF-16 surrogate cannot be encoded in a URL. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
