import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { billing, type Ended } from "../support/command.ts";

/** Writes files into a folder that is removed when the test ends, and returns the folder. */
export function project(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), "upgrade-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** Reads a file of a project. */
export function textOf(folder: string, path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

/** Runs `billing upgrade` with a folder. */
export function upgrade(folder: string, ...args: string[]): Promise<Ended> {
  return billing(["upgrade", folder, ...args]).ended;
}
