import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Creates a folder that is removed when the test ends. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "billing-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
