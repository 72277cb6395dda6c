import { pageUrls, readSite } from "./built-site.ts";

/** Returns the contents of all links to the playground. A program that only begins another one is left out. */
export function playgroundLinks(): readonly string[] {
  const links = pageUrls().flatMap((url) => [...readSite(url).matchAll(/playground\/#([^"]+)"/g)]);
  const unique = [...new Set(links.map(([, fragment]) => (fragment ?? "").replaceAll("&amp;", "&")))];
  return unique.filter((link) => !unique.some((other) => other !== link && other.startsWith(link)));
}
