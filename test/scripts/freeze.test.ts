import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { apiReports } from "../../scripts/api-report.ts";
import { versionNames } from "../../scripts/entry-points.ts";
import { frozen } from "../../scripts/generate/files.ts";
import { digestsOf, freeze, freezeProblems } from "../../scripts/generate/freeze.ts";
import { documentOf, loadVersion } from "../../scripts/generate/version-source.ts";
import type { Contract } from "../../src/contract/index.ts";
import { nextVersion } from "../../src/lifecycle/index.ts";
import type { OpenApiDocument } from "../../src/openapi/document.ts";
import { toOpenApi } from "../../src/openapi/to-openapi.ts";

const [deprecated, current, next] = versionNames() as [string, string, string];
const documents = await Promise.all(versionNames().map(documentOf));
const reports = apiReports();
const digests = digestsOf(documents, reports);
const undo = (what: string, version: string) =>
  expect.stringContaining(`The ${what} of ${version} changed, and ${version} is frozen: undo the change`);

describe("the freeze", () => {
  it("LIF-3, LIF-4, LIF-7: what Current and Deprecated promise has not changed since they were frozen", () => {
    expect(freezeProblems(digests, frozen())).toEqual([]);
    expect(Object.keys(frozen())).toEqual([deprecated, current]);
  });

  it("LIF-4: a release freezes the version that was Next, and removes the digests of the removed one", () => {
    const newest = documents.at(-1) as OpenApiDocument;
    const added = { ...newest, info: { ...newest.info, version: nextVersion(next) } };
    const released = digestsOf([...documents.slice(1), added], reports);
    const after = freeze(released, frozen());
    expect(Object.keys(after)).toEqual([current, next]);
    expect(after[current]).toEqual(frozen()[current]);
    expect(freezeProblems(released, after)).toEqual([]);
    expect(freezeProblems(released, frozen())).toEqual([
      expect.stringContaining(`${deprecated} is frozen, but it is not Current or Deprecated`),
      expect.stringContaining(`${next} is Current or Deprecated, but not frozen`),
    ]);
  });
});

describe("a change of a contract", async () => {
  const { contract, models } = await loadVersion(deprecated);
  const before = await documentOf(deprecated);
  const schemas = before.components.schemas;

  /** Returns the problems after a change to the contract of the oldest version. */
  function problemsAfter(change: Partial<Contract>): string[] {
    const { components, ...changed } = toOpenApi({ ...contract, ...change }, { models });
    const document = { ...changed, components: { ...components, schemas } };
    return freezeProblems(digestsOf([document, ...documents.slice(1)], reports), frozen());
  }
  const operations = (change: (one: Contract["operations"][number]) => object) => ({
    operations: contract.operations.map((one) => ({ ...one, ...change(one) })),
  });
  const Query = z.object({ colour: z.exactOptional(z.string()) });

  it.each<[string, Partial<Contract>]>([
    ["a request gets an optional field", operations(({ request }) => ({ request: { ...request, query: Query } }))],
    ["an event's data is described", { webhookData: { "order.paid": z.object({}) } }],
    ["a status differs", operations(({ response }) => ({ response: { ...response, status: 299 } }))],
  ])("LIF-7: is detected if %s", (_what, change) => {
    expect(problemsAfter(change)).toEqual([undo("contract", deprecated)]);
  });

  it("is allowed if it only changes wording", () => {
    expect(problemsAfter(operations(() => ({ summary: "In other words." })))).toEqual([]);
  });
});

describe("a change of a declaration", () => {
  /** Returns the reports after changes to source files: pairs of what a file contains and what it contains instead. */
  function reportsAfter(changes: Readonly<Record<string, readonly [string, string]>>): Map<string, string> {
    const replacements = Object.entries(changes).map(([file, [before, after]]) => {
      const text = readFileSync(file, "utf8");
      expect(text).toContain(before);
      return [file, text.replace(before, after)] as const;
    });
    return apiReports(new Map(replacements));
  }
  const problems = (after: Map<string, string>) => freezeProblems(digestsOf(documents, after), frozen());

  it("LIF-7: is detected in a frozen version: an added field, a renamed method; it is allowed in Next", () => {
    const after = reportsAfter({
      [`versions/${deprecated}/products.ts`]: ["  page?: number", "  next?: string;\n  page?: number"],
      [`versions/${current}/webhook-endpoints.ts`]: ["  getEndpoint(id", "  readEndpoint(id"],
      [`versions/${next}/webhook-endpoints.ts`]: ["  getEndpoint(id", "  readEndpoint(id"],
    });
    expect(problems(after)).toEqual([undo("declarations", deprecated), undo("declarations", current)]);
  });
});
