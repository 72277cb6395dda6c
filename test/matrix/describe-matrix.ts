import { describe } from "vitest";
import { isMatrixInstalled } from "../../scripts/install.ts";

/** If `REQUIRE_MATRIX` is set, a tool that could not be installed is a failure. */
const required = process.env["REQUIRE_MATRIX"] === "1";

/** Groups tests that need the tools of this folder. Without them they are skipped, and a warning is printed. */
export function describeMatrix(name: string, tests: () => void): void {
  describe.skipIf(isMissing(isMatrixInstalled(), name, "npm ci in test/matrix failed"))(name, tests);
}

/** Whether to skip tests because a tool is missing. Prints a warning if so; throws an error if the tool is required. */
export function isMissing(available: boolean, name: string, reason: string): boolean {
  if (available) return false;
  if (required) throw new Error(`REQUIRE_MATRIX=1 is set, but ${reason}: ${name}`);
  console.warn(`Skipped because ${reason}: ${name}`);
  return true;
}
