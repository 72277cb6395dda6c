import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import type { Contract } from "../../src/contract/index.ts";
import { contract as deprecated } from "../../versions/2024-10/contract.ts";
import { contract as current } from "../../versions/2025-01/contract.ts";
import { contract as next } from "../../versions/2025-04/contract.ts";

const [operation] = next.operations as [Contract["operations"][0]];
const schema = 'must be a schema that implements Standard Schema; received "a string".';
const bad = "a string" as never;

function withOperation(changes: object): Contract {
  return { ...next, operations: [{ ...operation, ...changes }] };
}

describe("createMock({ contracts })", () => {
  it.each<[string, unknown, string]>([
    [
      "no operations",
      { ...next, operations: undefined },
      ": `operations` is required and must be an array of operations.",
    ],
    [
      "an operation that is not an object",
      { ...next, operations: [5] },
      ".operations[0] must be an object; received 5.",
    ],
    ["an unknown method", withOperation({ method: "FETCH" }), '.operations[0]: `method` must be "GET", "POST", '],
    ["a relative path", withOperation({ path: "v1" }), ".operations[0]: `path` must be a path that starts with /v1/; "],
    [
      "an unknown part",
      withOperation({ request: { bdoy: 1 } }),
      '.operations[0].request: unknown field "bdoy". Did you mean ',
    ],
    [
      "no response body",
      withOperation({ response: { status: 200 } }),
      ".operations[0].response: `body` is required and ",
    ],
    [
      "a failure without a schema",
      withOperation({ failures: { 422: bad } }),
      `.operations[0].failures: \`422\` ${schema}`,
    ],
  ])("rejects %s", (_what, contract, message) => {
    const contracts = [deprecated, current, contract as Contract];
    expect(() => createMock({ contracts })).toThrow(`createMock: contracts[2]${message}`);
  });
});
