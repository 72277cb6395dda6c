// Writes the documentation site to "site/dist": Markdown for VitePress, then VitePress itself.
import { execFile } from "node:child_process";
import { cpSync, globSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { parseArgs, promisify } from "node:util";
import { install } from "../scripts/install.ts";
import { writeGuides } from "./guides/write-guides.ts";
import { writeHome } from "./home/write-home.ts";
import { OUTPUT, PAGES, ROOT } from "./paths.ts";
import { type WrittenReference, writeReference } from "./reference/write-reference.ts";

/** Data for the VitePress configuration. */
export interface SiteData extends WrittenReference {
  /** The path under which the site is served, with a slash at both ends. */
  readonly base: string;
  /** The address of the site, if it is known. */
  readonly url: string | undefined;
}

const inputs = [
  "{src,versions,mock,conformance,site,scripts}/**/*.*",
  "site/.vitepress/**/*.*",
  "{docs,bench,examples}/**/*.{md,png,svg,ts}",
  "*.{md,json}",
];
// The pattern `**` does not match folders whose name starts with a dot.
const outputs = ["site/{dist,pages}/**", "**/node_modules/**", "site/.vitepress/node_modules/**"];
const stamp = `${OUTPUT}/.built`;

/** Returns whether the site is newer than everything that it is built from. */
export function isFresh(): boolean {
  const built = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return globSync(inputs, { cwd: ROOT, exclude: outputs }).every((file) => statSync(ROOT + file).mtimeMs <= built);
}

/** Builds the site. `base` is the path or the URL under which it is served; a URL adds a sitemap. */
export async function buildSite(base = "/"): Promise<void> {
  const started = new Date();
  if (!(await install("site/.vitepress", "VitePress"))) throw new Error("The site's packages could not be installed.");
  rmSync(PAGES, { recursive: true, force: true });
  cpSync(`${ROOT}site/public`, `${PAGES}/public`, { recursive: true });
  console.log("Writing the guides and the reference");
  writeGuides();
  writeHome();
  const { pathname, href } = new URL(base.replace(/\/?$/, "/"), "http://unknown.invalid");
  const url = URL.canParse(base) ? href : undefined;
  const data: SiteData = { base: pathname, url, ...(await writeReference()) };
  writeFileSync(`${PAGES}/data.json`, JSON.stringify(data));
  console.log("Writing the pages with VitePress");
  const vitePress = `${ROOT}site/.vitepress/node_modules/vitepress/bin/vitepress.js`;
  // It prints a line per page, which only an error shows.
  await promisify(execFile)(process.execPath, [vitePress, "build", `${ROOT}site`], { maxBuffer: 2 ** 26 });
  if (pathname !== "/") moveMarkdown(pathname);
  // Only a site at the root is served and tested on this machine. An input that changed during the build counts as newer.
  if (pathname !== "/") return;
  writeFileSync(stamp, "");
  utimesSync(stamp, started, started);
}

/** Lets the links of the pages' Markdown start with the path under which the site is served. */
function moveMarkdown(base: string): void {
  for (const file of globSync("{**/*.md,llms-full.txt}", { cwd: OUTPUT })) {
    const text = readFileSync(`${OUTPUT}/${file}`, "utf8");
    writeFileSync(`${OUTPUT}/${file}`, text.replaceAll(/(?<=\]\()\//g, base));
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { "if-stale": { type: "boolean" }, base: { type: "string" } } });
  if (!values["if-stale"] || !isFresh()) await buildSite(values.base);
  console.log(`The documentation is in ${OUTPUT}`);
}
