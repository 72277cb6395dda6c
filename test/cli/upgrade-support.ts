import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { OpenApiDocument } from "../../src/openapi/index.ts";
import { billing, type Ended } from "../support/command.ts";

const root = join(import.meta.dirname, "../..");

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

/** Copies the package, changes the contract of a version in the copy, and returns the file of its command. */
export function packageWith(version: string, change: (document: OpenApiDocument) => OpenApiDocument): string {
  const folder = project({});
  for (const name of ["cli", "mock", "src", "terminal", "versions", "package.json"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const path = join(folder, `versions/${version}/openapi.json`);
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, "utf8")))));
  return join(folder, "cli/billing.ts");
}
