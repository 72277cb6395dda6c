import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { loadSeedFile } from "../../cli/mock/arguments.ts";
import { UsageError } from "../../cli/shared/arguments.ts";
import { createEngine, type Engine } from "../../mock/api/engine.ts";
import { COLLECTIONS } from "../../mock/control/client.ts";
import { respondToControl } from "../../mock/control/control.ts";
import type { EncodedResponse } from "../../mock/http/messages.ts";
import type { Mock } from "../../mock/index.ts";
import type { Operation } from "../../src/contract/index.ts";
import { versionNames, versions } from "../support/clients.ts";
import { receive } from "../support/receive.ts";
import { controlCalls, recordFields, requestOf } from "./arbitraries/control-call.ts";
import { oddJson, oddString, weighted } from "./arbitraries/values.ts";
import { declaredSchema, expectDeclared } from "./declared.ts";
import { holds, patient } from "./parameters.ts";

it("after any control requests, the service returns only responses that its contracts declare", patient, async () => {
  const statuses = new Set<number>();
  await holds(150, fc.array(controlCalls, { minLength: 1, maxLength: 10 }), async (calls) => {
    const engine = furnished();
    const { mock } = engine;
    for (const call of calls) {
      const before = seen(mock);
      const answer = await respondToControl(requestOf(call, "http://127.0.0.1", idsIn(engine)), engine);
      statuses.add(answer.status);
      expectOrderly(answer);
      if (answer.status >= 400) expect(seen(mock)).toBe(before);
    }
    await expectSound(mock);
  });
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 204, 400, 404]));
});

/** One id of each kind of record. */
function idsIn({ state: { tables } }: Engine): string[] {
  const { organizations, users, customers, oauthClients, products, webhookEndpoints } = tables;
  const all = [organizations, users, customers, oauthClients, products, webhookEndpoints];
  return all.flatMap((table) => [...table.entries()].slice(-1).map(([id]) => id));
}

/** An error response has a code and a message, and is never a failure of the mock itself. */
function expectOrderly({ status, body }: EncodedResponse): void {
  const json: unknown = body === undefined ? undefined : JSON.parse(body);
  expect(status, body?.slice(0, 300)).toBeLessThan(500);
  if (status >= 400) expect(json).toEqual({ error: expect.any(String), detail: expect.any(String) });
}

/** Records with a few odd fields each, in lists of every collection. */
function listOf(name: string): fc.Arbitrary<unknown> {
  const record = fc.dictionary(fc.constantFrom(...(recordFields[name] ?? ["type", "scopes"])), oddJson, { maxKeys: 1 });
  return weighted([6, fc.array(record, { maxLength: 2 })], [1, oddJson]);
}

const names = [...Object.keys(COLLECTIONS), "tokens"];
const data = fc
  .subarray(names, { minLength: 1, maxLength: 3 })
  .chain((some) => fc.record(Object.fromEntries(some.map((name) => [name, listOf(name)]))));
const seedFiles = weighted(
  [8, data.map((value) => JSON.stringify(value))],
  [1, oddJson.map((value) => JSON.stringify(value) ?? "")],
  [1, oddString],
);

it("a seed file is loaded completely or rejected, and its records fit the contracts", patient, async () => {
  const path = join(tmpdir(), `seed-${process.pid}.json`);
  onTestFinished(() => rmSync(path, { force: true }));
  let used = 0;
  await holds(400, seedFiles, async (text) => {
    writeFileSync(path, text);
    const { mock } = furnished();
    try {
      await loadSeedFile(path, mock, new PassThrough());
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError);
      expect((error as UsageError).message).toMatch(/^--seed-data ./);
      return;
    }
    used += 1;
    await expectSound(mock);
  });
  expect(used).toBeGreaterThan(50);
});

/** Fails unless every response that contains records of a test matches its contract. */
async function expectSound(mock: Mock): Promise<void> {
  mock.faults.clear();
  const [organization, user] = [mock.organizations.list().at(-1), mock.users.list().at(-1)];
  const owners = [...(organization ? [{ organization }] : []), ...(user ? [{ type: "pat" as const, user }] : [])];
  const tokens = owners.map((owner) => mock.issueToken(owner));
  const endpoint = mock.webhookEndpoints.list().at(-1)?.id ?? "none";
  for (const { contract } of versionNames.map((name) => versions[name])) {
    if (!Object.values(mock.versions).includes(contract.version)) continue;
    for (const token of tokens) {
      const { version } = contract;
      const get = async (id: string, path: string) => {
        const answer = await receive(mock.fetch, `${mock.baseUrls[0]}`, `GET ${path}`, { token, version });
        const operation = contract.operations.find((each) => each.id === id) as Operation;
        expectDeclared({ contract, operation, version }, answer);
        expect(declaredSchema(operation, answer.status)).toBeDefined();
      };
      await get("oauth2:authorize", "/v1/oauth2/authorize");
      await get("products:list", "/v1/products/");
      await get("webhooks:get_webhook_endpoint", `/v1/webhooks/endpoints/${encodeURIComponent(endpoint)}`);
    }
  }
}

/** Returns the visible state of a mock as a string. */
function seen(mock: Mock): string {
  const { organizations, users, customers, oauthClients, products, webhookEndpoints, events, webhooks } = mock;
  const tables = [organizations, users, customers, oauthClients, products, webhookEndpoints, events, webhooks.events];
  return JSON.stringify([mock.versions, mock.faults.list(), ...tables.map((table) => table.list())]);
}

/** Creates a mock with a record of every kind. */
function furnished(): Engine {
  const engine = createEngine({ seed: 1, now: "2025-02-03T04:05:06Z" });
  const { mock } = engine;
  mock.customers.create({ external_id: "acme" });
  mock.products.create({ name: "Bread" });
  mock.webhookEndpoints.create();
  return engine;
}
