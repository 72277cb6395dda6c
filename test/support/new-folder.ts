import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Creates a folder that is removed when the test ends, or with `afterAll` when all tests of the file have ended. */
export function newFolder(whenEnded: (remove: () => void) => void = onTestFinished): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "billing-")));
  whenEnded(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
