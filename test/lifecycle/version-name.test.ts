import { describe, expect, it } from "vitest";
import { isInvalidInputError, isVersion, nextVersion } from "../../src/index.ts";

describe("isVersion", () => {
  it.each(["2024-10", "2025-01", "0001-12"])("VER-1: %s is the name of a version", (text) => {
    expect(isVersion(text)).toBe(true);
  });

  it.each(["2025-1", "2025-13", "2025-00", "25-01", "2025-01-01", " 2025-01", "2025-01\n", "2025/01", "latest", ""])(
    "VER-1: %j is not the name of a version",
    (text) => {
      expect(isVersion(text)).toBe(false);
    },
  );
});

describe("nextVersion", () => {
  it.each([
    ["2024-10", "2025-01"],
    ["2025-01", "2025-04"],
    ["2025-04", "2025-07"],
    ["2025-07", "2025-10"],
    ["2025-02", "2025-04"],
    ["0999-12", "1000-01"],
  ])("LIF-5, G-NEXT-NAME: after %s comes %s, named after the following quarter", (version, next) => {
    expect(nextVersion(version)).toBe(next);
  });

  it("rejects anything but the name of a version", () => {
    expect(() => nextVersion("next")).toThrow('nextVersion: version must be YYYY-MM; received "next"');
    expect(() => nextVersion("2025-13")).toThrow(expect.toSatisfy(isInvalidInputError));
  });
});
