import { globSync, readFileSync } from "node:fs";
import { buildSite, isFresh } from "../../site/build.ts";
import { OUTPUT } from "../../site/paths.ts";

/** Builds the site before the tests, unless it is newer than its sources. */
export async function setup(): Promise<void> {
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
