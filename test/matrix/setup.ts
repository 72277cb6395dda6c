import type { TestProject } from "vitest/node";
import { installMatrix } from "../../scripts/install.ts";
import { setup as publish } from "../support/published.ts";

/** Installs the tools of this folder, and packs the package. */
export async function setup(project: TestProject): Promise<() => void> {
  const [cleanUp] = await Promise.all([publish(project), installMatrix()]);
  return cleanUp;
}
