import { describe, expect, it } from "vitest";
import { isInvalidInputError, isVersion, nextVersion, releaseDates } from "../../src/index.ts";

describe("the names of versions", () => {
  it("VER-1: are YYYY-MM", () => {
    expect(["2024-10", "2025-01", "0001-12"].filter((text) => !isVersion(text))).toEqual([]);
    const others = ["2025-1", "2025-13", "2025-00", "25-01", "2025-01-01", " 2025-01", "2025-01\n", "2025/01", ""];
    expect(others.filter(isVersion)).toEqual([]);
  });

  it.each([
    ["2024-10", "2025-01"],
    ["2025-07", "2025-10"],
    ["2025-02", "2025-04"],
    ["0999-12", "1000-01"],
  ])("LIF-5, G-NEXT-NAME: after %s comes %s, named after the following quarter", (version, next) => {
    expect(nextVersion(version)).toBe(next);
  });

  it("are checked", () => {
    expect(() => nextVersion("next")).toThrow(expect.toSatisfy(isInvalidInputError));
    expect(() => releaseDates("2025-02")).toThrow("must be in a release month (01, 04, 07 or 10)");
  });
});

describe("the dates of versions", () => {
  it("LIF-6, G-DATES: lead from the release before a version's own to the second one after it", () => {
    const october = { earliest: "2024-10-01", latest: "2024-10-07" };
    const january = { earliest: "2025-01-01", latest: "2025-01-07" };
    const april = { earliest: "2025-04-01", latest: "2025-04-07" };
    const july = { earliest: "2025-07-01", latest: "2025-07-07" };
    expect(releaseDates("2025-01")).toEqual({
      version: "2025-01",
      next: { from: october, to: january },
      current: { from: january, to: april },
      deprecated: { from: april, to: july },
      removed: july,
    });
  });

  it("LIF-1, LIF-6: at every release, one version each becomes Next, Current and Deprecated; each lives nine months", () => {
    const names = ["2024-10", "2025-01", "2025-04"];
    for (let quarter = 0; quarter < 8; quarter++) {
      const [deprecated, current, next] = names.map(releaseDates);
      expect(next?.next.from).toEqual(current?.current.from);
      expect(current?.current.from).toEqual(deprecated?.deprecated.from);
      const life = Date.parse(String(next?.removed.earliest)) - Date.parse(String(next?.next.from.earliest));
      expect(Math.abs(life / 86_400_000 - 273.5)).toBeLessThan(3);
      names.push(nextVersion(names[2] as string));
      names.shift();
    }
  });
});
