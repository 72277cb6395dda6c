import { globSync, readFileSync } from "node:fs";
import { buildSite } from "../../site/build.ts";
import { isFresh } from "../../site/freshness.ts";
import { OUTPUT } from "../../site/paths.ts";

/** Builds the site unless it is newer than its sources. `npm test` has built it before the tests. */
export async function provideSite(): Promise<void> {
  if (!isFresh()) await buildSite();
}

/** Returns the URLs of all pages, from the root of the site. */
export function pageUrls(): readonly string[] {
  return globSync("**/*.html", { cwd: OUTPUT }).sort();
}

/** Reads a file of the site. */
export function readSite(url: string): string {
  return readFileSync(`${OUTPUT}/${url}`, "utf8");
}
