import { describe, expect, it } from "vitest";
import { defaultAssumptions } from "../../mock/index.ts";
import { committed } from "../../scripts/generate/files.ts";
import { idsOfTable, proofs } from "../../scripts/generate/rules.ts";

const table = committed("docs/rules.md") ?? "";
const ids = idsOfTable(table);

describe("docs/rules.md", () => {
  it("has a test for every row", () => {
    const proved = proofs();
    expect(ids.filter((id) => !proved.has(id))).toEqual([]);
  });

  it("has a row for every id in the name of a test", () => {
    expect([...proofs().keys()].filter((id) => !ids.includes(id))).toEqual([]);
  });

  it("lists each id once", () => {
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("has an entry with a source for every assumption of the mock", () => {
    const policy = committed("mock/assumptions/assumptions.ts") ?? "";
    const named = policy.match(/\bG-[A-Z0-9-]+/g) ?? [];
    expect(named.length).toBeGreaterThanOrEqual(Object.keys(defaultAssumptions).length);
    expect([...new Set(named)].filter((id) => !ids.includes(id))).toEqual([]);
    const rows = table.split("\n").filter((line) => line.startsWith("| G-"));
    const source = /^(specification|RFC \d+|Standard Webhooks|chosen)(; chosen)?$/;
    expect(rows.filter((row) => !source.test(row.split(" | ").at(-2) ?? ""))).toEqual([]);
  });
});
