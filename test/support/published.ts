import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { setup as build } from "./built.ts";
import { pack } from "./packed.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The path of the packed tarball. */
    readonly tarball: string;
  }
}

/** Builds the package and packs it once for all tests of a project. They get the path with `inject("tarball")`. */
export async function setup(project: TestProject): Promise<() => void> {
  await build();
  const folder = mkdtempSync(join(tmpdir(), "tarball-"));
  project.provide("tarball", pack(folder));
  return () => rmSync(folder, { recursive: true });
}
