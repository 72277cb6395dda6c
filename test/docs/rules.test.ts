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

  it("says of each assumption its source, and what sets it or that it is fixed", () => {
    const code = committed("mock/assumptions/assumptions.ts") ?? "";
    const fields = [...code.matchAll(/\* (G-[A-Z0-9-]+)[\s\S]*?\*\/\n {2}readonly (\w+):/g)];
    expect(fields.map(([, , field]) => field).sort()).toEqual(Object.keys(defaultAssumptions).sort());
    const options = { "G-BASE": "baseUrl", "G-STORE": "maxEvents", "G-WHERE": "contracts", "G-NEXTNEXT": "contracts" };
    const setters = [...fields.map(([, id = "", field = ""]) => [id, field] as const), ...Object.entries(options)];
    const rows = table.split("\n").filter((line) => line.startsWith("| G-"));
    for (const row of rows) {
      const id = row.split(" | ")[0]?.slice(2);
      const names = setters.flatMap(([each, name]) => (each === id ? `\`${name}\`` : [])).join(", ");
      const [, last] = / (?:specification|RFC \d+|Standard Webhooks|chosen)(?:; chosen)?; ([^|;]+) \|$/.exec(row) ?? [];
      expect([id, last]).toEqual([id, names || "fixed"]);
    }
    expect(setters.filter(([id]) => !ids.includes(id))).toEqual([]);
  });
});
