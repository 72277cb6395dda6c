import { dirname, join } from "node:path";
import { slugify } from "../../../site/markdown.ts";
import { textOf } from "./blocks.ts";

/** Finds the relative links of a page that lead to no file, or to a heading that its target does not have. */
export function lostLinks(page: string, exists: (file: string) => boolean): string[] {
  const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g)];
  const lost = links.filter(([, file = "", heading]) => {
    const target = file === "" ? page : join(dirname(page), file);
    return !exists(target) || (heading !== undefined && !anchors(textOf(target)).includes(heading));
  });
  return lost.map(([link]) => link);
}

/** Returns the anchors of a page: headings, as on GitHub, and ids in the first column of a table, as on the site. */
function anchors(text: string): string[] {
  const headings = text.split("\n").flatMap((line) => /^#+ (.+)$/.exec(line)?.[1] ?? []);
  const ids = text.split("\n").flatMap((line) => /^\| (G-[A-Z0-9-]+) \|/.exec(line)?.[1] ?? []);
  return [...headings.map(slugify), ...ids];
}
