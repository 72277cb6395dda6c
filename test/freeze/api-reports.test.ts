import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type ApiReports, apiReports } from "../../scripts/api-report/api-reports.ts";
import { declarationProblems } from "../../scripts/api-report/freeze-declarations.ts";
import { versionNames } from "../../scripts/entry-points.ts";
import { committed, frozenDeclarations } from "../../scripts/generate/files.ts";

const [deprecated, current, next] = versionNames() as [string, string, string];
const reports = apiReports();

/** Returns the reports after changes to source files: pairs of what a file contains and what it contains instead. */
function reportsAfter(changes: Readonly<Record<string, readonly [string, string]>>): ApiReports {
  const replacements = Object.entries(changes).map(([file, [before, after]]) => {
    const text = readFileSync(file, "utf8");
    expect(text).toContain(before);
    return [file, text.replace(before, after)] as const;
  });
  return apiReports(new Map(replacements));
}

/** Returns the paths of the reports that differ from those without changes. */
function changedReports({ files }: ApiReports): string[] {
  return [...files].filter(([path, text]) => reports.files.get(path) !== text).map(([path]) => path);
}

describe("the API reports", () => {
  it("are exactly the committed ones", () => {
    expect(globSync("api/*.md").sort()).toEqual([...reports.files.keys()].sort());
  });

  it("state a type for everything: a declaration without one would be reported as any", () => {
    for (const text of reports.files.values()) expect(text).not.toMatch(/(?<!")\bany\b/);
  });

  it("contain exported and referenced declarations, without prose and without what users cannot reach", () => {
    const report = committed(`api/${current}.md`);
    expect(report).toContain("export interface Webhooks {\n    getEndpoint(id: string, options?: CallOptions): Call<");
    expect(report).toContain("export function createClient(options: ClientOptions): BillingClient;");
    expect(report).not.toContain("EndpointPathSchema");
    expect(report).not.toContain("/**");
    expect(committed("api/shared.md")).toContain("interface ClientOptions");
  });

  it("LIF-7: the declarations of Current and Deprecated have not changed since they were frozen", () => {
    expect(declarationProblems(reports.versions, frozenDeclarations())).toEqual([]);
  });
});

describe("a change of a declaration", () => {
  const undo = (version: string) => `The declarations of ${version} changed, and ${version} is frozen: undo the change`;

  it("LIF-7: is detected in a frozen version: an added field, a renamed method; it is allowed in Next", () => {
    const after = reportsAfter({
      [`versions/${deprecated}/products.ts`]: ["  page?: number", "  next?: string;\n  page?: number"],
      [`versions/${current}/webhook-endpoints.ts`]: ["  getEndpoint(id", "  readEndpoint(id"],
      [`versions/${next}/webhook-endpoints.ts`]: ["  getEndpoint(id", "  readEndpoint(id"],
    });
    expect(declarationProblems(after.versions, frozenDeclarations())).toEqual([
      expect.stringContaining(undo(deprecated)),
      expect.stringContaining(undo(current)),
    ]);
    expect(changedReports(after)).toEqual(versionNames().map((version) => `api/${version}.md`));
  });

  it("is reported, and allowed, if it adds an option that every version shares", () => {
    const after = reportsAfter({
      "src/client/options.ts": [
        "export interface ClientOptions",
        "export interface ClientOptions { added?: string }\nexport interface ClientOptions",
      ],
    });
    expect(declarationProblems(after.versions, frozenDeclarations())).toEqual([]);
    expect(changedReports(after)).toEqual(["api/shared.md"]);
  });

  it("is not reported if it only changes wording", () => {
    const after = reportsAfter({ "src/client/options.ts": ["/** ", "/** In other words. "] });
    expect(changedReports(after)).toEqual([]);
  });
});
