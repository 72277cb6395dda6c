// Writes the documentation site to "site/dist": Markdown for VitePress, then VitePress itself.
import { execFile } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { parseArgs, promisify } from "node:util";
import { install } from "../scripts/install.ts";
import { checkGuides } from "./guides.ts";
import { writeHome } from "./home/write-home.ts";
import { type SidebarItem, writeOperationPages, writeOptionAndErrorPages } from "./operations/index.ts";
import type { Symbols } from "./operations/markdown.ts";
import { OUTPUT, PAGES, ROOT } from "./paths.ts";
import { buildPlayground } from "./playground/build.ts";
import { type ModuleItem, writeReference, writeReferenceIndex } from "./reference.ts";
import { siteVersions } from "./versions.ts";
import { writeGuides } from "./write-guides.ts";

/** The parts of a version's reference. */
export interface VersionNavigation {
  readonly modules: readonly ModuleItem[];
  readonly operations: readonly SidebarItem[];
  /** The pages about options and errors. */
  readonly others: readonly SidebarItem[];
}

/** Data for the VitePress configuration: the navigation by version, and the symbols of Current. */
export interface SiteData {
  readonly navigation: Readonly<Record<string, VersionNavigation>>;
  readonly symbols: Symbols;
}

const inputs = [
  "{src,versions,mock,conformance,site,scripts}/**/*.*",
  "site/.vitepress/**/*.*",
  "{docs,bench,examples}/**/*.{md,png,svg,ts}",
  "*.{md,json}",
];
const outputs = ["site/{dist,pages}/**", "**/node_modules/**"];
const stamp = `${OUTPUT}/.built`;

/** Returns whether the site is newer than everything that it is built from. */
export function isFresh(): boolean {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  return globSync(inputs, { cwd: ROOT, exclude: outputs }).every((file) => statSync(ROOT + file).mtimeMs <= built);
}

/** Builds the site. `base` is the path under which it is served. */
export async function buildSite(base = "/"): Promise<void> {
  const started = new Date();
  checkGuides();
  if (!(await install("site/.vitepress", "VitePress"))) throw new Error("The site's packages could not be installed.");
  rmSync(PAGES, { recursive: true, force: true });
  cpSync(`${ROOT}site/public`, `${PAGES}/public`, { recursive: true });
  console.log("Writing the guides and the reference");
  writeGuides();
  await writeHome();
  const data = await writeReferences();
  writeFileSync(`${PAGES}/data.json`, JSON.stringify(data));
  mkdirSync(`${PAGES}/playground`, { recursive: true });
  cpSync(`${ROOT}site/playground/page.md`, `${PAGES}/playground/index.md`);
  await buildPlayground(`${PAGES}/public/playground`);
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
  const navigation: Record<string, VersionNavigation> = {};
  let symbols: Symbols = {};
  // Guides are written for Current, which comes last.
  for (const version of [...siteVersions()].reverse()) {
    const { name } = version;
    const { modules, ...reference } = await writeReference(name);
    const to = `${PAGES}/reference/${name}`;
    const source = { version: name, ...reference };
    const operations = await writeOperationPages(`${to}/operations`, source);
    navigation[name] = { modules, operations, others: writeOptionAndErrorPages(to, source) };
    writeReferenceIndex(version, modules);
    cpSync(`${ROOT}versions/${name}/openapi.json`, `${PAGES}/public/reference/${name}/openapi.json`);
    // Each operation's page by its call: `billing.events.ingest`.
    const calls = operations.map(({ link }) => [`billing.${link.split("/").at(-1)?.replace("-", ".")}`, link]);
    symbols = { ...reference.symbols, ...Object.fromEntries(calls) };
  }
  return { navigation, symbols };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { "if-stale": { type: "boolean" }, base: { type: "string" } } });
  if (!values["if-stale"] || !isFresh()) await buildSite(values.base);
  console.log(`The documentation is in ${OUTPUT}`);
}
