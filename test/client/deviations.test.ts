import { expect, it, vi } from "vitest";
import { type BillingClient, contract, createClient } from "#current";
import { createMock } from "../../mock/index.ts";
import type { Call } from "../../src/client/index.ts";
import type { ZodSchema } from "../../src/contract/index.ts";
import { endpointInput, usage } from "../support/samples.ts";

type Operation = (billing: BillingClient, endpoint: string) => Call<unknown>;

/** The operations, by the id in the contract. */
const operations: Readonly<Record<string, Operation>> = {
  "webhooks:get_webhook_endpoint": ({ webhooks }, id) => webhooks.getEndpoint(id),
  "webhooks:create_webhook_endpoint": ({ webhooks }) => webhooks.createEndpoint(endpointInput()),
  "webhooks:update_webhook_endpoint": ({ webhooks }, id) => webhooks.updateEndpoint(id, { name: "renamed" }),
  "events:ingest": ({ events }) => events.ingest([usage()]),
  "oauth2:authorize": ({ oauth2 }) => oauth2.authorize(),
  "products:list": ({ products }) => products.list(),
};

/** What a service may send instead of a value. */
const changes: readonly ((value: unknown) => unknown)[] = [
  () => undefined,
  () => null,
  (value) => (typeof value === "string" ? "something-new" : "3"),
  (value) => ({ new: value }),
  (value) => [value, value],
];

/** Returns copies of an answer that each differ in one field, or have one more. */
function deviationsOf(answer: unknown): unknown[] {
  if (typeof answer !== "object" || answer === null) return [];
  const inFields = Object.entries(answer).flatMap(([name, value]) => {
    const values = [...changes.map((change) => change(value)), ...deviationsOf(value)];
    return values.map((changed) => Object.assign(structuredClone(answer), { [name]: changed }));
  });
  return Array.isArray(answer) ? inFields : [...inFields, { ...answer, "a new field": 1 }];
}

it("a thousand answers that differ from the contract in one field are returned, with one warning each and their secrets", async () => {
  expect(contract.operations.map(({ id }) => id).sort()).toEqual(Object.keys(operations).sort());
  const mock = createMock();
  const accessToken = mock.issueToken();
  const { id: endpoint } = mock.webhookEndpoints.create();
  mock.products.create();
  let count = 0;
  for (const { id, response: declared } of contract.operations) {
    const call = operations[id] as Operation;
    const { data, response } = await call(createClient({ accessToken, fetch: mock.fetch }), endpoint).withResponse();
    for (const deviation of deviationsOf(data)) {
      const body = JSON.stringify(deviation);
      const logger = { debug: vi.fn(), warn: vi.fn() };
      const fetch = async () => new Response(body, response);
      expect(await call(createClient({ accessToken, fetch, logger }), endpoint)).toEqual(JSON.parse(body));
      const fits = (declared.body as ZodSchema).safeParse(JSON.parse(body)).success;
      expect(logger.warn, `${id}: ${body}`).toHaveBeenCalledTimes(fits ? 0 : 1);
      expect(JSON.stringify(logger.warn.mock.calls)).not.toContain("whsec_");
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(1_000);
});
