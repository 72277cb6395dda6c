import { describe, expect, it } from "vitest";
import { isInvalidInputError, nextVersion, releaseDates } from "../../src/index.ts";

describe("releaseDates", () => {
  it("LIF-6, G-DATES: returns the dates of a version from the release before its own to the second one after it", () => {
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

  it.each(["2024-10", "2025-01", "2025-04", "2025-07"])("LIF-6: %s lives about nine months", (version) => {
    const { next, removed } = releaseDates(version);
    const days = (Date.parse(removed.earliest) - Date.parse(next.from.earliest)) / 86_400_000;
    expect(days).toBeGreaterThan(270);
    expect(days).toBeLessThan(277);
  });

  it("LIF-1: at every release, one version each becomes Next, Current and Deprecated, and one is removed", () => {
    const names = ["2024-10", "2025-01", "2025-04"];
    for (let quarter = 0; quarter < 8; quarter++) {
      const [deprecated, current, next] = names.map(releaseDates);
      expect(next?.next.from).toEqual(current?.current.from);
      expect(current?.current.from).toEqual(deprecated?.deprecated.from);
      names.push(nextVersion(names[2] as string));
      names.shift();
    }
  });

  it("rejects a month without a release", () => {
    expect(() => releaseDates("2025-02")).toThrow(
      'releaseDates: version must be in a release month (01, 04, 07 or 10); received "2025-02"',
    );
    expect(() => releaseDates("2025-02")).toThrow(expect.toSatisfy(isInvalidInputError));
    expect(() => releaseDates("")).toThrow('releaseDates: version must be YYYY-MM; received ""');
  });
});
