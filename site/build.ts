// Writes the documentation site to "site/dist": Markdown for VitePress, then VitePress itself.
import { spawn } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { install } from "../scripts/install.ts";
import { checkGuides } from "./guides.ts";
import { writeHome } from "./home/write-home.ts";
import { writeErrorPages, writeOperationPages, writeOptionPages } from "./operations/index.ts";
import { OUTPUT, PAGES, ROOT } from "./paths.ts";
import { bundlePlayground } from "./playground/bundle-playground.ts";
import { createProgram, type ModuleItem, type Reference, type SidebarItem, writeReference } from "./reference.ts";
import { siteVersions } from "./versions.ts";
import { writeGuides } from "./write-guides.ts";
import { writeReferenceIndex } from "./write-reference-index.ts";

/** What the configuration of VitePress reads from the build: the navigation of each version, and the symbols of Current. */
export interface SiteData {
  readonly modules: Readonly<Record<string, readonly ModuleItem[]>>;
  /** The pages of the operations, and others that the navigation shows before the entry points. */
  readonly operations: Readonly<Record<string, readonly SidebarItem[]>>;
  readonly symbols: Reference["symbols"];
}

const inputs = [
  "{src,versions,mock,conformance,site,scripts}/**/*.*",
  "site/.vitepress/**/*.*",
  "{docs,bench,examples}/**/*.{md,png,svg,ts}",
  "*.{md,json}",
];
const outputs = ["site/{dist,pages,node_modules}/**", "**/node_modules/**"];
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
  if (!(await install("site", "VitePress"))) throw new Error("The packages of the site could not be installed.");
  rmSync(PAGES, { recursive: true, force: true });
  cpSync(`${ROOT}site/public`, `${PAGES}/public`, { recursive: true });
  console.log("Writing the guides and the reference");
  writeGuides();
  await writeHome();
  const data = await writeReferences();
  writeFileSync(`${PAGES}/data.json`, JSON.stringify(data));
  mkdirSync(`${PAGES}/playground`, { recursive: true });
  cpSync(`${ROOT}site/playground/page.md`, `${PAGES}/playground/index.md`);
  await bundlePlayground();
  console.log("Writing the pages with VitePress");
  await runVitePress(base);
  // An input that changed during the build counts as newer.
  writeFileSync(stamp, "");
  utimesSync(stamp, started, started);
}

async function writeReferences(): Promise<SiteData> {
  const versions = siteVersions();
  const program = createProgram(versions);
  const modules: Record<string, readonly ModuleItem[]> = {};
  const operations: Record<string, readonly SidebarItem[]> = {};
  let symbols: Reference["symbols"] | undefined;
  for (const version of versions) {
    const reference = await writeReference(version.name, program);
    const pages = await writeContractPages(version.name, reference.symbols);
    writeReferenceIndex(version, reference.modules);
    operations[version.name] = pages;
    modules[version.name] = reference.modules;
    // Current is the first; guides are written for it.
    symbols ??= { ...reference.symbols, ...callsIn(pages) };
  }
  return { modules, operations, symbols: symbols ?? {} };
}

/** Writes the pages of a version that do not come from TypeDoc. */
async function writeContractPages(version: string, symbols: Reference["symbols"]): Promise<readonly SidebarItem[]> {
  const to = `${PAGES}/reference/${version}`;
  const files = `${PAGES}/public/reference/${version}`;
  mkdirSync(files, { recursive: true });
  cpSync(`${ROOT}versions/${version}/openapi.json`, `${files}/openapi.json`);
  const typePages = new Map(Object.entries(symbols));
  const items = await writeOperationPages({ version, to: `${to}/operations`, typePages });
  const others = [...(await writeOptionPages({ version, to, typePages })), ...(await writeErrorPages({ version, to }))];
  return [{ text: "Operations", link: `/reference/${version}/operations/`, items }, ...others];
}

/** Returns the pages of the operations by their calls: `billing.events.ingest`. */
function callsIn(pages: readonly SidebarItem[]): Reference["symbols"] {
  const links = pages.flatMap(({ items = [] }) => items).map(({ link = "" }) => link);
  return Object.fromEntries(links.map((link) => [`billing.${link.split("/").at(-1)?.replace("-", ".")}`, link]));
}

function runVitePress(base: string): Promise<void> {
  const program = `${ROOT}site/node_modules/vitepress/bin/vitepress.js`;
  const child = spawn(process.execPath, [program, "build", `${ROOT}site`, "--base", base], { stdio: "pipe" });
  // It prints a line per page, so its output is shown only if it fails.
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => (status === 0 ? resolve() : reject(new Error(`VitePress failed:\n${output}`))));
  });
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { "if-stale": { type: "boolean" }, base: { type: "string" } } });
  if (!values["if-stale"] || !isFresh()) await buildSite(values.base);
  console.log(`The documentation is in ${OUTPUT}`);
}
