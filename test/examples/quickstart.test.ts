import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { end, fileOf, goodLine, quickstart } from "./run.ts";

describe("npm start", () => {
  it("prints the results of the tour, without formatting outside a terminal", () => {
    const { status, stdout } = end("npm", ["start", "--silent"]);
    expect(status).toBe(0);
    expect(stdout).toContain("first run    200 inserted, 0 duplicates, 0 rejected");
    expect(stdout).toContain("second run   0 inserted, 200 duplicates, 0 rejected");
    expect(stdout).toContain("ApiError 403 insufficient_scope");
    expect(stdout).toContain("The request requires the scope events:write.");
    expect(stdout).toContain("2025-01 before, 2025-04 after");
    expect(stdout).not.toContain("\u001b");
    expect(stdout).not.toContain("\r");
  });

  it("prints one JSON object without secrets or tokens with --json", () => {
    const { status, stdout, stderr } = quickstart("--json");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const account = JSON.parse(stdout);
    expect(Object.keys(account)).toEqual(["endpoint", "usage", "authorization", "rejectedCall", "versions"]);
    expect(account.usage.first).toEqual({ inserted: 200, duplicates: 0, rejected: 0 });
    expect(account.usage.second).toEqual({ inserted: 0, duplicates: 200, rejected: 0 });
    expect(account.rejectedCall).toMatchObject({ name: "ApiError", status: 403, code: "insufficient_scope" });
    expect(account.versions).toEqual([
      { imported: "2025-01", answered: "2025-01" },
      { imported: "2025-04", answered: "2025-04" },
    ]);
    expect(stdout).not.toMatch(/whsec_|billing_(oat|oidc|pat)_/);
  });
});

describe("npm start -- <file>", () => {
  it("ingests the file as npx @billing-service/sdk ingest does, and ends with the same exit code", () => {
    const file = fileOf([goodLine(1), "hello", goodLine(2), '{"name":"api.call"}'].join("\n"));
    const rejected = `${file}.rejected.jsonl`;
    expect(quickstart(file)).toEqual({
      status: 3,
      stdout: `2 inserted, 0 duplicates, 2 rejected\nRejected lines, with reasons: ${rejected}\n`,
      stderr: "",
    });
    const lines = readFileSync(rejected, "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).line).sort()).toEqual([2, 4]);
  });
});
