import { build } from "../../scripts/build.ts";

/** Builds the package with its declarations, unless what is there is newer than the sources. */
export async function setup(): Promise<void> {
  await build({ ifStale: true, types: true });
}
