import type { TestProject } from "vitest/node";
import { setup as publish } from "../support/published.ts";
import { installMatrix } from "./install.ts";

/** Installs the tools of this folder, and packs the package. */
export async function setup(project: TestProject): Promise<() => void> {
  const [cleanUp] = await Promise.all([publish(project), installMatrix()]);
  return cleanUp;
}
