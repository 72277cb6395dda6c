import { build } from "../../scripts/build.ts";

/** Builds the package, unless the existing build is newer than the sources. */
export async function setup(): Promise<void> {
  await build({ ifStale: true });
}
