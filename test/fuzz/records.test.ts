import fc from "fast-check";
import { expect, it } from "vitest";
import { COLLECTIONS, type CollectionName } from "../../mock/control/client.ts";
import { createMock, type Mock } from "../../mock/index.ts";
import type { Operation } from "../../src/contract/index.ts";
import { versionNames, versions } from "../support/clients.ts";
import { receive } from "../support/receive.ts";
import { oddJson, oddString, weighted } from "./arbitraries/values.ts";
import { declaredSchema, expectDeclared } from "./declared.ts";
import { holds, patient } from "./parameters.ts";

const names = Object.keys(COLLECTIONS) as CollectionName[];

/** Records of any collection, with at most two odd fields: with more, hardly any would be accepted. */
const records = fc.constantFrom(...names).chain((name) => {
  const fields = Object.keys(createMock()[name].create());
  const value = weighted<unknown>([3, oddString], [2, oddJson]);
  return fc.record({
    name: fc.constant(name),
    fields: fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 2 }),
  });
});

it("a record is rejected with a TypeError, or fits the responses that the contracts declare", patient, async () => {
  let [created, rejected] = [0, 0];
  await holds(400, fc.array(records, { minLength: 1, maxLength: 8 }), async (given) => {
    const mock = createMock({ seed: 1, now: "2025-02-03T04:05:06Z" });
    for (const { name, fields } of given) {
      try {
        mock[name].create(fields as never);
        created += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
        rejected += 1;
      }
    }
    await expectSound(mock);
  });
  expect(Math.min(created, rejected)).toBeGreaterThan(100);
});

/** Fails unless every response that contains records of a test matches its contract. */
async function expectSound(mock: Mock): Promise<void> {
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
