import { describe, expect, it } from "vitest";
import { runConformance } from "../../conformance/index.ts";
import { createMock, defaultAssumptions } from "../../mock/index.ts";
import { tokensOf } from "./tokens.ts";

describe("the default mock", () => {
  it("follows every rule, and shows the default of every observable assumption", async () => {
    const mock = createMock();
    const [baseUrl = ""] = mock.baseUrls;
    const report = await runConformance({ baseUrl, fetch: mock.fetch, tokens: tokensOf(mock), allowWrites: true });
    expect(report.rules.filter(({ outcome }) => outcome === "fails")).toEqual([]);
    expect(report.choices).toEqual({});
    for (const { name, default: byDefault, outcome } of report.assumptions) {
      if (outcome === "observed") expect(byDefault, name).toEqual(settingOf(defaultAssumptions, name));
    }
  });
});

function settingOf(assumptions: object, name: string): unknown {
  return name.split(".").reduce<unknown>((value, field) => (value as Record<string, unknown>)[field], assumptions);
}
