import { describe, expect, it } from "vitest";
import { defaultAssumptions } from "../../mock/index.ts";
import { committed } from "../../scripts/generate/files.ts";
import { idsOfTable, proofs } from "../../scripts/generate/rules.ts";

const table = committed("docs/rules.md") ?? "";
const ids = idsOfTable(table);

describe("docs/rules.md", () => {
  it("lists each id of a test once, and each row has a test", () => {
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.toSorted()).toEqual([...proofs().keys()].sort());
  });

  it("has an entry with a source for every assumption of the mock", () => {
    const policy = committed("mock/assumptions/assumptions.ts") ?? "";
    const named = policy.match(/\bG-[A-Z0-9-]+/g) ?? [];
    expect(named.length).toBeGreaterThanOrEqual(Object.keys(defaultAssumptions).length);
    expect([...new Set(named)].filter((id) => !ids.includes(id))).toEqual([]);
    const rows = table.split("\n").filter((line) => line.startsWith("| G-"));
    const source = /^(specification|RFC \d+|Standard Webhooks|chosen)(; chosen)?(; fixed)?$/;
    expect(rows.filter((row) => !source.test(row.replace(/ \|$/, "").split(" | ").at(-1) ?? ""))).toEqual([]);
    // The page names what sets these.
    const overridable = [...named, "G-BASE", "G-STORE", "G-WHERE", "G-NEXTNEXT"];
    const isFixed = (row: string) => !overridable.includes(row.split(" | ")[0]?.slice(2) ?? "");
    expect(rows.filter((row) => row.endsWith("; fixed |") !== isFixed(row))).toEqual([]);
  });
});
