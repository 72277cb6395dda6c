import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { setup } from "../support/built.ts";
import { end, fileOf, goodLine, quickstart, root } from "./run.ts";

beforeAll(setup);

const shared = join(root, "../shared/data/usage-commits.jsonl");

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

  it("moves to the next version by changing the import, and reads the version of the response", () => {
    const { versions } = JSON.parse(quickstart("--json").stdout);
    expect(versions).toEqual([
      { imported: "2025-01", answered: "2025-01" },
      { imported: "2025-04", answered: "2025-04" },
    ]);
  });

  it("uses colors if told to", () => {
    const { stdout } = end(process.execPath, ["examples/quickstart.ts"], { FORCE_COLOR: "1" });
    expect(stdout).toContain("\u001b[32m200 inserted\u001b[39m");
  });

  it("prints one JSON object without secrets or tokens with --json", () => {
    const { status, stdout, stderr } = quickstart("--json");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const account = JSON.parse(stdout);
    expect(Object.keys(account)).toEqual(["endpoint", "usage", "authorization", "rejectedCall", "versions"]);
    expect(account.usage.first).toEqual({ inserted: 200, duplicates: 0, rejected: 0 });
    expect(account.usage.second).toEqual({ inserted: 0, duplicates: 200, rejected: 0 });
    expect(account.rejectedCall).toMatchObject({ name: "ApiError", status: 403, code: "insufficient_scope" });
    expect(stdout).not.toMatch(/whsec_|billing_(oat|oidc|pat)_/);
  });

  it("prints its usage with --help", () => {
    const { status, stdout } = quickstart("--help");
    expect(status).toBe(0);
    expect(stdout).toContain("npm start -- <file>");
  });
});

describe("the shipped file", () => {
  const text = readFileSync(join(root, "examples/usage.jsonl"), "utf8");
  const events: Record<string, unknown>[] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

  it("has several time zones, both kinds of customer, existing parents and unique ids", () => {
    const ids = new Set(events.map((event) => event["external_id"]));
    const zones = new Set(events.map(({ timestamp }) => String(timestamp).replace(/^.{19}/, "")));
    expect(ids.size).toBe(events.length);
    expect(zones).toEqual(new Set(["Z", "+01:00", "+02:00", "-04:00", "+05:30"]));
    expect(events.filter(({ customer_id }) => customer_id !== undefined).length).toBeGreaterThan(0);
    const parents = events.flatMap(({ parent_id }) => (parent_id === undefined ? [] : [parent_id]));
    expect(parents.filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe("npm start -- <file>", () => {
  it("stores the history of a repository, if there is one", ({ skip }) => {
    skip(!existsSync(shared), "../shared/data does not exist.");
    const { status, stdout } = quickstart("--json", fileOf(readFileSync(shared)));
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "completed", inserted: 1780, duplicates: 0, rejected: 0 });
  });

  it("ingests the file as npx @billing-service/sdk ingest does, and ends with the same exit code", () => {
    const file = fileOf([goodLine(1), "hello", goodLine(2), '{"name":"api.call"}'].join("\n"));
    const rejected = file.replace(".jsonl", ".rejected.jsonl");
    expect(quickstart(file)).toEqual({
      status: 3,
      stdout: `2 inserted, 0 duplicates, 2 rejected\nRejected lines, with reasons: ${rejected}\n`,
      stderr: "",
    });
    const lines = readFileSync(rejected, "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).line).sort()).toEqual([2, 4]);
  });

  it.each([
    ["a file that is not there", "/no/such/file.jsonl", "billing ingest: /no/such/file.jsonl: not found."],
    ["a directory", "examples", "billing ingest: examples: this is a folder."],
    ["an unknown flag", "--frobnicate", "Unknown option '--frobnicate'. Try: npm start -- --help"],
  ])("reports %s in one line", (_, parameter, message) => {
    expect(quickstart(parameter)).toEqual({ status: 2, stdout: "", stderr: `${message}\n` });
  });

  it("accepts only one file", () => {
    expect(quickstart("one.jsonl", "two.jsonl")).toMatchObject({ status: 2, stdout: "" });
  });
});
