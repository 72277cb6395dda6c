import { expect } from "vitest";
import { createEngine, type Engine } from "../../mock/api/engine.ts";
import type { Mock } from "../../mock/index.ts";
import type { Contract, Operation } from "../../src/contract/index.ts";
import { versionNames, versions } from "../support/clients.ts";
import { declaredSchema, expectFit } from "./declared.ts";

/** Fails unless every response that contains records of a test matches its contract. */
export async function expectSound(mock: Mock): Promise<void> {
  mock.faults.clear();
  const tokens = [
    ...mock.organizations
      .list()
      .slice(-1)
      .map((organization) => mock.issueToken({ organization })),
    ...mock.users
      .list()
      .slice(-1)
      .map((user) => mock.issueToken({ type: "pat", user })),
  ];
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

async function expectAnswer(mock: Mock, contract: Contract, token: string, id: string, path: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, "Service-Version": contract.version };
  const response = await mock.fetch(mock.baseUrls[0] + path, { headers });
  const operation = contract.operations.find((each) => each.id === id) as Operation;
  const text = await response.text();
  const place = `${contract.version} ${id} ${response.status} ${text.slice(0, 300)}`;
  const schema = declaredSchema(operation, response.status);
  expect(schema, place).toBeDefined();
  if (schema) expectFit(schema, JSON.parse(text), place);
}

/** Returns the visible state of a mock as a string. */
export function seen(mock: Mock): string {
  const { organizations, users, customers, oauthClients, products, webhookEndpoints, events, webhooks } = mock;
  const tables = [organizations, users, customers, oauthClients, products, webhookEndpoints, events, webhooks.events];
  return JSON.stringify([mock.versions, mock.faults.list(), ...tables.map((table) => table.list())]);
}

/** Creates a mock with a record of every kind. */
export function furnished(): Engine {
  const engine = createEngine({ seed: 1, now: "2025-02-03T04:05:06Z" });
  const { mock } = engine;
  mock.customers.create({ external_id: "acme" });
  mock.products.create({ name: "Bread" });
  mock.webhookEndpoints.create();
  return engine;
}
