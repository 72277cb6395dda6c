import { pageUrls, readSite } from "./built-site.ts";

/** Returns the contents of all links to the playground in the pages of a version. */
export function playgroundLinks(version: string): readonly string[] {
  const pages = pageUrls().filter((url) => url.startsWith(`${version}/`));
  const links = pages.flatMap((url) => [...readSite(url).matchAll(/playground\.html#([^"]+)"/g)]);
  return [...new Set(links.map(([, fragment]) => (fragment ?? "").replaceAll("&amp;", "&")))];
}
