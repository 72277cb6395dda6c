// Writes the documentation site to "site/dist": Markdown for VitePress, then VitePress itself.
import { execFile } from "node:child_process";
import { cpSync, globSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { parseArgs, promisify } from "node:util";
import { install } from "../scripts/install.ts";
import { writeGuides } from "./guides/write-guides.ts";
import { writeHome } from "./home/write-home.ts";
import type { Symbols } from "./markdown.ts";
import { OUTPUT, PAGES, ROOT } from "./paths.ts";
import { writeReference } from "./reference/exports/write-exports.ts";
import { writeOperationPages, writeOptionAndErrorPages } from "./reference/write-pages.ts";
import { siteVersions } from "./versions.ts";

/** Data for the VitePress configuration. */
export interface SiteData {
  /** The navigation of each part of the reference, by the start of the part's address. */
  readonly sidebar: Readonly<Record<string, readonly object[]>>;
  /** The symbols of Current, to which guides link. */
  readonly symbols: Symbols;
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

/** Builds the site. `base` is the path under which it is served. */
export async function buildSite(base = "/"): Promise<void> {
  const started = new Date();
  if (!(await install("site/.vitepress", "VitePress"))) throw new Error("The site's packages could not be installed.");
  rmSync(PAGES, { recursive: true, force: true });
  cpSync(`${ROOT}site/public`, `${PAGES}/public`, { recursive: true });
  console.log("Writing the guides and the reference");
  writeGuides();
  writeHome();
  const data = await writeReferences();
  writeFileSync(`${PAGES}/data.json`, JSON.stringify(data));
  console.log("Writing the pages with VitePress");
  const vitePress = `${ROOT}site/.vitepress/node_modules/vitepress/bin/vitepress.js`;
  // It prints a line per page, which only an error shows.
  await promisify(execFile)(process.execPath, [vitePress, "build", `${ROOT}site`, "--base", base], {
    maxBuffer: 2 ** 26,
  });
  // An input that changed during the build counts as newer.
  writeFileSync(stamp, "");
  utimesSync(stamp, started, started);
}

async function writeReferences(): Promise<SiteData> {
  const sidebar: Record<string, readonly object[]> = {};
  let symbols: Symbols = {};
  // Current comes last.
  for (const version of [...siteVersions()].reverse()) {
    const { name } = version;
    const { modules, ...reference } = await writeReference(version);
    const to = `${PAGES}/reference/${name}`;
    const source = { version: name, ...reference };
    const operations = await writeOperationPages(`${to}/operations`, source);
    const others = writeOptionAndErrorPages(to, source);
    cpSync(`${ROOT}versions/${name}/openapi.json`, `${PAGES}/public/reference/${name}/openapi.json`);
    for (const open of [undefined, ...modules]) {
      const link = `/reference/${name}/`;
      // Only the open entry point lists its exports.
      const entryPoints = modules.map((each) => {
        return each === open ? { ...each, collapsed: false } : { text: each.text, link: each.link };
      });
      sidebar[open?.link ?? link] = [
        { text: `API ${name}`, items: [{ text: "Overview", link }, ...others] },
        { text: "Operations", link: `${link}operations/`, items: operations },
        { text: "Entry points", items: entryPoints },
      ];
    }
    // Each operation's page by its call: `billing.events.ingest`.
    const calls = operations.map((each) => [`billing.${each.link.split("/").at(-1)?.replace("-", ".")}`, each.link]);
    symbols = { ...reference.symbols, ...Object.fromEntries(calls) };
  }
  return { sidebar, symbols };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { "if-stale": { type: "boolean" }, base: { type: "string" } } });
  if (!values["if-stale"] || !isFresh()) await buildSite(values.base);
  console.log(`The documentation is in ${OUTPUT}`);
}
