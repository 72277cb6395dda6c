import type { SecuritySchemeName } from "../../src/contract/index.ts";
import type { Adapter } from "../support/adapter.ts";
import type { CredentialName, FuzzRequest } from "./arbitraries/request.ts";
import type { FuzzAnswer } from "./declared.ts";

/** A mock with records of every kind, for fuzz tests. */
export interface Fuzzed {
  /** The scheme of each credential; undefined for those that are not accepted. */
  readonly schemes: Readonly<Partial<Record<CredentialName, SecuritySchemeName>>>;
  send(request: FuzzRequest): Promise<FuzzAnswer>;
  /** Returns the visible state as a string. */
  state(): string;
  /** Restores the initial state, so that the state stays small. */
  restart(): string;
}

/** Fills a mock, and prepares its credentials. */
export function fuzzed({ mock, fetch, baseUrl }: Pick<Adapter, "mock" | "fetch" | "baseUrl">): Fuzzed {
  const other = mock.organizations.create({ name: "Other" });
  const ids = [
    mock.webhookEndpoints.create().id,
    mock.webhookEndpoints.create({ api_version: "2024-10", format: "slack" }).id,
    mock.webhookEndpoints.create({ organization_id: other.id }).id,
  ];
  mock.customers.create({ external_id: "acme" });
  for (const name of ["Bread", "Rolls"]) mock.products.create({ name, prices: [{ amount: 1 }] });
  const revoked = mock.issueToken();
  mock.revokeToken(revoked);
  const tokens: Record<CredentialName, string | undefined> = {
    oat: mock.issueToken(),
    pat: mock.issueToken({ type: "pat" }),
    oidc: mock.issueToken({ type: "oidc" }),
    scopeless: mock.issueToken({ scopes: [] }),
    other: mock.issueToken({ organization: other }),
    revoked,
    expired: mock.issueToken({ expiresIn: -1 }),
    unknown: "billing_oat_unknown",
    none: undefined,
  };
  const start = mock.snapshot();
  const state = () =>
    JSON.stringify([
      mock.webhookEndpoints.list(),
      mock.events.list(),
      mock.webhooks.events.size,
      [mock.organizations, mock.users, mock.customers, mock.oauthClients, mock.products].map(({ size }) => size),
    ]);
  return {
    schemes: { oat: "oat", pat: "pat", oidc: "oidc", scopeless: "oat", other: "oat" },
    send: (request) => send(fetch, baseUrl, request, tokens[request.credential], ids),
    state,
    restart: () => {
      mock.restore(start);
      return state();
    },
  };
}

/** A version 4 UUID that no record has. */
const UNUSED = "00000000-0000-4000-8000-000000000000";

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
  return typeof value === "number" ? (ids[value] ?? UNUSED) : String(value);
}

/** A lone UTF-16 surrogate cannot be encoded in a URL. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
