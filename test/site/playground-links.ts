import { pageUrls, readSite } from "./built-site.ts";

/**
 * Returns the contents of all links to the playground in the pages of a version. A program that only begins another one is
 * left out.
 */
export function playgroundLinks(version: string): readonly string[] {
  const pages = pageUrls().filter((url) => url.startsWith(`${version}/`));
  const links = pages.flatMap((url) => [...readSite(url).matchAll(/playground\.html#([^"]+)"/g)]);
  const unique = [...new Set(links.map(([, fragment]) => (fragment ?? "").replaceAll("&amp;", "&")))];
  return unique.filter((link) => !unique.some((other) => other !== link && other.startsWith(link)));
}
