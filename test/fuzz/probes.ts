import { expect } from "vitest";
import { createMock, type Mock } from "../../mock/index.ts";
import type { Contract, Operation } from "../../src/contract/index.ts";
import { versionNames, versions } from "../support/clients.ts";
import { expectFit } from "./declared.ts";

/** Fails unless every response that contains records of a test matches its contract. */
export async function expectSound(mock: Mock): Promise<void> {
  mock.faults.clear();
  const tokens = (["oat", "pat"] as const).flatMap((type) => tokenOf(mock, type));
  const endpoint = mock.webhookEndpoints.list().at(-1)?.id ?? "none";
  for (const { contract } of versionNames.map((name) => versions[name])) {
    if (!Object.values(mock.versions).includes(contract.version)) continue;
    for (const token of tokens) {
      const get = (id: string, path: string) => expectAnswer(mock, contract, token, id, path);
      await get("oauth2:authorize", "/v1/oauth2/authorize");
      await get("products:list", "/v1/products/");
      await get("webhooks:get_webhook_endpoint", `/v1/webhooks/endpoints/${encodeURIComponent(endpoint)}`);
    }
  }
}

/** Returns a token of the newest owner, if there is one. */
function tokenOf(mock: Mock, type: "oat" | "pat"): string[] {
  const owners = type === "oat" ? mock.organizations.list() : mock.users.list();
  const owner = owners.at(-1);
  if (!owner) return [];
  return [mock.issueToken(type === "oat" ? { type, organization: owner.id } : { type, user: owner.id })];
}

async function expectAnswer(mock: Mock, contract: Contract, token: string, id: string, path: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, "Service-Version": contract.version };
  const response = await mock.fetch(mock.baseUrls[0] + path, { headers });
  const operation = contract.operations.find((each) => each.id === id) as Operation;
  const { status } = response;
  const failures = operation.failures as Readonly<Record<number, Operation["response"]["body"]>>;
  const schema = status === operation.response.status ? operation.response.body : failures[status];
  const text = await response.text();
  expect(schema, `${contract.version} ${id} ${status} ${text.slice(0, 300)}`).toBeDefined();
  if (schema) expectFit(schema, JSON.parse(text), `${contract.version} ${id} ${status}`);
}

/** Returns the visible state of a mock as a string. */
export function seen(mock: Mock): string {
  const { organizations, users, customers, oauthClients, products, webhookEndpoints, events, webhooks } = mock;
  const tables = [organizations, users, customers, oauthClients, products, webhookEndpoints, events, webhooks.events];
  return JSON.stringify([mock.versions, mock.faults.list(), ...tables.map((table) => table.list())]);
}

/** Creates a mock with a record of every kind. */
export function furnished(): Mock {
  const mock = createMock({ seed: 1, now: "2025-02-03T04:05:06Z" });
  mock.customers.create({ external_id: "acme" });
  mock.products.create({ name: "Bread" });
  mock.webhookEndpoints.create();
  return mock;
}
