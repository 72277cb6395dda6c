import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createMock } from "../../mock/index.ts";
import type { Contract } from "../../src/contract/index.ts";
import { openAdapter, problems } from "../support/adapter.ts";
import { contractsWith, current, deprecated, next } from "../support/contracts.ts";
import { standardSchema } from "../support/standard-schema.ts";

const { version } = next;
const [operation] = next.operations as [Contract["operations"][0]];

function withOperation(changes: object): Contract {
  return { ...next, operations: [{ ...operation, ...changes }] };
}

const foreign = { request: { body: standardSchema((value) => ({ value })) } };

describe("createMock({ contracts })", () => {
  it.each<[string, unknown, string]>([
    ["no operations", { ...next, operations: undefined }, "`operations` is required."],
    ["an unknown method", withOperation({ method: "FETCH" }), "`operations.0.method` must be 'GET', 'POST', "],
    ["a version that is no quarter", { ...next, version: "2025-05" }, "`version` must be a quarter, YYYY-01, -04, "],
    [
      "a scope unknown to its schema",
      { ...next, scopes: [...next.scopes, "a:b"] },
      `\`scopes.${next.scopes.length}\` must be `,
    ],
    [
      "an event type unknown to its schema",
      { ...next, webhookEventTypes: ["order.eaten"] },
      "`webhookEventTypes.0` must be 'checkout.created', ",
    ],
    ["a relative path", withOperation({ path: "v1" }), "`operations.0.path` must begin with /v1/."],
    [
      "a scope that no header can name",
      { ...next, scopes: ["読む"] },
      "`scopes.0` must be a scope (RFC 6749, section 3.3).",
    ],
    [
      "an unknown part",
      withOperation({ request: { bdoy: 1 } }),
      "`operations.0.request` is invalid: Extra inputs are not permitted: bdoy.",
    ],
    ["no schema", withOperation({ failures: { 422: "x" } }), "`operations.0.failures.422` must be a schema of zod 4."],
    ["a schema of another library", withOperation(foreign), "`operations.0.request.body` must be a schema of"],
  ])("rejects %s", (_what, contract, message) => {
    const contracts = [deprecated, current, contract as Contract];
    expect(() => createMock({ contracts })).toThrow(`createMock: contracts[2]: ${message}`);
  });

  it.each([
    ["a fixed path beside a parameter", "/v1/webhooks/endpoints/test", "shop:added"],
    ["a parameter beside a fixed part", "/v1/webhooks/{kind}/test", "webhooks:get_webhook_endpoint"],
    ["another name for a parameter", "/v1/webhooks/endpoints/{endpoint}", "webhooks:get_webhook_endpoint"],
  ])("may have %s", async (_what, path, id) => {
    const read = next.operations.find((each) => each.id === "webhooks:get_webhook_endpoint") as typeof operation;
    const added = { ...read, id: "shop:added", path, request: {} } as unknown as typeof operation;
    const contracts = contractsWith({}, { operations: [...next.operations, added] });
    const { mock, send } = await openAdapter({ contracts });
    expect((await send("GET /v1/products/", { version })).status).toBe(200);
    await send("GET /v1/webhooks/endpoints/test", { version });
    expect(mock.requests.last()?.operation).toBe(id);
  });

  it("may check a string in the query, which stays a string if it looks like a number", async () => {
    const code = z.string().check(z.refine((value) => value !== "13"));
    const contracts = contractsWith({ "products:list": () => ({ request: { query: z.object({ code }) } }) });
    const { send } = await openAdapter({ contracts });
    expect(problems(await send("GET /v1/products/?code=13", { version }))).toEqual(["query.code value_error"]);
  });
});
