import type { ConnectedMock } from "../../mock/connect.ts";
import type { Mock } from "../../mock/index.ts";
import type { SecuritySchemeName } from "../../src/contract/index.ts";
import type { Adapter } from "../support/adapter.ts";
import { type Received, receive } from "../support/receive.ts";
import { NOBODY } from "../support/samples.ts";
import { DEPRECATED } from "../support/versions.ts";
import type { CredentialName, FuzzRequest } from "./arbitraries/request.ts";

/** How a mock is reached. */
type Reached = Pick<Adapter, "fetch" | "baseUrl">;

/** The scheme of each credential that is accepted. */
export const SCHEMES: Readonly<Partial<Record<CredentialName, SecuritySchemeName>>> = {
  oat: "oat",
  pat: "pat",
  oidc: "oidc",
  scopeless: "oat",
  other: "oat",
};

/** Fills a mock, and prepares its credentials. */
export async function fuzzed({ mock, ...reached }: Reached & { readonly mock: Mock | ConnectedMock }) {
  const other = await mock.organizations.create({ name: "Other" });
  const ids = [
    (await mock.webhookEndpoints.create()).id,
    (await mock.webhookEndpoints.create({ api_version: DEPRECATED, format: "slack" })).id,
    (await mock.webhookEndpoints.create({ organization_id: other.id })).id,
  ];
  await mock.customers.create({ external_id: "acme" });
  for (const name of ["Bread", "Rolls"]) await mock.products.create({ name, prices: [{ amount: 1 }] });
  const revoked = await mock.issueToken();
  await mock.revokeToken(revoked);
  const tokens: Record<CredentialName, string | null> = {
    oat: await mock.issueToken(),
    pat: await mock.issueToken({ type: "pat" }),
    oidc: await mock.issueToken({ type: "oidc" }),
    scopeless: await mock.issueToken({ scopes: [] }),
    other: await mock.issueToken({ organization: other }),
    revoked,
    expired: await mock.issueToken({ expiresIn: -1 }),
    unknown: "billing_oat_unknown",
    none: null,
  };
  await mock.checkpoint();
  const { organizations, users, customers, oauthClients, products, webhookEndpoints, events, webhooks } = mock;
  const counted = [organizations, users, customers, oauthClients, products, webhooks.events];
  /** Returns the visible state as a string. */
  const state = async () => {
    const sizes = await Promise.all(counted.map(({ size }) => size));
    return JSON.stringify([await webhookEndpoints.list(), await events.list(), sizes]);
  };
  return {
    send: (request: FuzzRequest) => send(reached, request, tokens[request.credential], ids),
    state,
    /** Restores the initial state, so that the state stays small. */
    restart: async () => {
      await mock.reset();
      return state();
    },
  };
}

/** Sends a request, with the ids of existing records. */
function send(
  { fetch, baseUrl }: Reached,
  { operation: { method, path }, version, contentType, body, ...request }: FuzzRequest,
  token: string | null,
  ids: readonly string[],
): Promise<Received> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(idOf(request.path[name], ids)));
  const headers = contentType === "" ? {} : { "Content-Type": contentType };
  const line = `${method} ${filled}?${new URLSearchParams(request.query)}`;
  return receive(fetch, baseUrl, line, { token, version, headers, ...(body !== undefined && { body }) });
}

function idOf(value: unknown, ids: readonly string[]): string {
  return typeof value === "number" ? (ids[value] ?? NOBODY) : String(value);
}

/** A lone UTF-16 surrogate cannot be encoded in a URL. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
