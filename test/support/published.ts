import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { build } from "../../scripts/build.ts";
import { pack } from "./packed.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The path of the packed tarball. */
    readonly tarball: string;
  }
}

/** Builds the package and packs it once for all tests of a project. They get the path with `inject("tarball")`. */
export async function setup(project: TestProject): Promise<() => void> {
  await build({ ifStale: true, types: true });
  const folder = mkdtempSync(join(tmpdir(), "tarball-"));
  project.provide("tarball", pack(folder));
  return () => rmSync(folder, { recursive: true });
}
