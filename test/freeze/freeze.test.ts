import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { versionNames } from "../../scripts/entry-points.ts";
import { frozen } from "../../scripts/generate/files.ts";
import { digestOf, freeze, freezeProblems } from "../../scripts/generate/freeze.ts";
import { documentOf, loadVersion } from "../../scripts/generate/version-source.ts";
import type { Contract } from "../../src/contract/index.ts";
import { nextVersion } from "../../src/lifecycle/index.ts";
import { type OpenApiDocument, toOpenApi } from "../../src/openapi/index.ts";

const documents = await Promise.all(versionNames().map(documentOf));

describe("the freeze", () => {
  it("LIF-3, LIF-4, LIF-7: the contracts of Current and Deprecated have not changed since they were frozen", () => {
    expect(freezeProblems(documents, frozen())).toEqual([]);
  });

  it("LIF-3, LIF-4: exactly the versions before Next are frozen", () => {
    expect(Object.keys(frozen())).toEqual(versionNames().slice(0, -1));
  });
});

describe("a change to a frozen version", () => {
  const [deprecated] = versionNames() as [string];
  const source = loadVersion(deprecated);

  /** Returns the problems after a change to the contract of the oldest version. */
  async function problemsAfter(change: (contract: Contract) => Contract): Promise<string[]> {
    const { contract, models } = await source;
    const before = toOpenApi(contract, { models });
    const changed = toOpenApi(change(contract), { models });
    return freezeProblems([changed, ...documents.slice(1)], { ...frozen(), [deprecated]: digestOf(before) });
  }

  it("LIF-7: is detected if it adds an optional field to a request", async () => {
    const Query = z.object({ colour: z.exactOptional(z.string()) });
    const [problem, ...others] = await problemsAfter((contract) => ({
      ...contract,
      operations: contract.operations.map((each) => ({ ...each, request: { ...each.request, query: Query } })),
    }));
    expect(others).toEqual([]);
    expect(problem).toContain(`The contract of ${deprecated} changed, and ${deprecated} is frozen: undo the change`);
  });

  it.each([
    ["an operation is gone", (each: Contract) => ({ ...each, operations: each.operations.slice(1) })],
    ["a scope is added", (each: Contract) => ({ ...each, scopes: [...each.scopes, "coffee:read"] })],
    ["an event type is gone", (each: Contract) => ({ ...each, webhookEventTypes: each.webhookEventTypes.slice(1) })],
    ["an event's data is described", (each: Contract) => ({ ...each, webhookData: { "order.paid": z.object({}) } })],
    [
      "a credential is no longer accepted",
      (each: Contract) => ({
        ...each,
        operations: each.operations.map((one) => ({ ...one, security: { ...one.security, schemes: [] } })),
      }),
    ],
    [
      "a status differs",
      (each: Contract) => ({
        ...each,
        operations: each.operations.map((one) => ({ ...one, response: { ...one.response, status: 299 } })),
      }),
    ],
  ])("LIF-7: is detected if %s", async (_what, change) => {
    expect(await problemsAfter(change)).toHaveLength(1);
  });

  it("is allowed if it only changes wording", async () => {
    const reworded = await problemsAfter((contract) => ({
      ...contract,
      operations: contract.operations.map((each) => ({ ...each, summary: "In other words." })),
    }));
    expect(reworded).toEqual([]);
  });
});

describe("a release", () => {
  const [deprecated, current, next] = versionNames() as [string, string, string];
  const [, ...kept] = documents;
  const newest = documents.at(-1) as OpenApiDocument;
  const released = [...kept, { ...newest, info: { ...newest.info, version: nextVersion(next) } }];

  it("LIF-4: freezes the version that was Next, and removes the digest of the removed one", () => {
    const after = freeze(released, frozen());
    expect(Object.keys(after)).toEqual([current, next]);
    expect(after[current]).toBe(frozen()[current]);
    expect(freezeProblems(released, after)).toEqual([]);
  });

  it("is rejected if the version that became Current is not frozen, or the removed one still is", () => {
    expect(freezeProblems(released, frozen())).toEqual([
      expect.stringContaining(`${deprecated} is frozen, but it is not Current or Deprecated`),
      expect.stringContaining(`${next} is Current or Deprecated, but not frozen`),
    ]);
  });
});
