import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { setup } from "../support/built.ts";
import { end, fileOf, goodLine, quickstart, root } from "./run.ts";

beforeAll(setup, 120_000);

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
  }, 60_000);

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
    expect(account.usage.first).toEqual({
      lines: 200,
      inserted: 200,
      duplicates: 0,
      rejected: [],
      withoutExternalId: 0,
    });
    expect(account.usage.second).toMatchObject({ inserted: 0, duplicates: 200 });
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
    const { status, stdout } = quickstart("--json", shared);
    const { first, second } = JSON.parse(stdout).usage;
    expect(status).toBe(0);
    expect(first).toEqual({ lines: 1780, inserted: 1780, duplicates: 0, rejected: [], withoutExternalId: 0 });
    expect(second).toMatchObject({ inserted: 0, duplicates: 1780, rejected: [] });
  });

  it("lists every rejected line of thousands with its reason, stores the others, and exits with 1", () => {
    const lines = Array.from({ length: 4000 }, (_, index) => goodLine(index + 1));
    for (const [line, bad] of BAD) lines[line - 1] = bad;
    const { status, stdout } = quickstart(fileOf(lines.join("\n")));
    expect(status).toBe(1);
    expect(stdout).toContain(`first run    ${(4000 - BAD.length).toLocaleString("en")} inserted, 0 duplicates`);
    expect(stdout).toContain(`${(4000 - BAD.length).toLocaleString("en")} duplicates, ${BAD.length} rejected`);
    const rejected = stdout.match(/(?<=^ +line )\d+ .+$/gm);
    expect(rejected).toEqual(BAD.map(([line, , reason]) => `${line} ${reason}`));
  });

  it("reports 0 lines for an empty file", () => {
    const { status, stdout } = quickstart(fileOf(""));
    expect(status).toBe(0);
    expect(stdout).toContain(", 0 lines\n");
    expect(stdout).toContain("first run    0 inserted, 0 duplicates, 0 rejected");
  });

  it.each([
    ["a file that is not there", "/no/such/file.jsonl", 1, "File not found: /no/such/file.jsonl."],
    ["a directory", "examples", 1, `${join(root, "examples")} is a directory.`],
    ["an unknown flag", "--frobnicate", 2, "Unknown option '--frobnicate'. Try: npm start -- --help"],
  ])("reports %s in one line", (_, parameter, status, message) => {
    expect(quickstart(parameter)).toEqual({ status, stdout: "", stderr: `${message}\n` });
  });

  it("accepts only one file", () => {
    expect(quickstart("one.jsonl", "two.jsonl")).toMatchObject({ status: 2, stdout: "" });
  });
});

const CUSTOMER = "1b7f3a0e-5c1d-4e2f-8a3b-9c0d1e2f3a4b";
const PROTO = '{"name":"api.call","external_customer_id":"a","metadata":{"__proto__":{"admin":true}}}';

/** Invalid lines with their number, text and reason. They include the first and the last of a batch of 500. */
const BAD: readonly [line: number, text: string, reason: string][] = [
  [1, '{"name":"api.call",', "not JSON: Expected double-quoted property name in JSON, column 20"],
  [17, '{"external_customer_id":"a"}', "event.name must be a non-empty string; received undefined"],
  [18, '{"name":7,"external_customer_id":"a"}', "event.name must be a non-empty string; received 7"],
  [500, '{"name":"api.call"}', "customer_id: One of these fields is required: customer_id, external_customer_id"],
  [
    501,
    `{"name":"api.call","customer_id":"${CUSTOMER}","external_customer_id":"a"}`,
    "external_customer_id: Give customer_id or external_customer_id, not both",
  ],
  [1234, '{"name":"api.call","customer_id":"not-a-uuid"}', "customer_id: Input should be a valid UUID"],
  [
    1235,
    '{"name":"api.call","external_customer_id":"a","timestamp":"2025-01-01T10:00:00"}',
    "timestamp: Input should have timezone info",
  ],
  [2049, PROTO, "metadata.__proto__: The name __proto__ is not allowed"],
  [3333, "42", "event must be an object; received number"],
  [3334, "null", "event must be an object; received null"],
  [
    3999,
    `{"name":"${"n".repeat(129)}","customer_id":7}`,
    "name: String should have at most 128 characters; customer_id: Input should be a valid string",
  ],
  [4000, "hello", `not JSON: Unexpected token 'h', "hello" is not valid JSON`],
];
