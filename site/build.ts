// Writes the documentation site to "site/dist": one complete TypeDoc site per version, and a start page that leads to Current.
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { buildSync } from "esbuild";
import { isFresh, markBuilt } from "./freshness.ts";
import { checkGuides } from "./guides.ts";
import { OUTPUT, ROOT, STYLE } from "./paths.ts";
import { bundlePlayground } from "./playground/bundle-playground.ts";
import { type ConvertedVersion, convertVersion } from "./plugin/convert-version.ts";
import { createProgram } from "./plugin/create-program.ts";
import { writeVersion } from "./plugin/write-version.ts";
import { siteVersions } from "./versions.ts";
import { writeRoot } from "./write-root.ts";

/** Builds the site. */
export async function buildSite(): Promise<void> {
  checkGuides();
  const started = new Date();
  rmSync(OUTPUT, { recursive: true, force: true });
  buildSync({ entryPoints: [`${ROOT}site/assets/style/all.css`], bundle: true, outfile: STYLE });
  const versions = siteVersions();
  const program = createProgram(versions);
  const converted: ConvertedVersion[] = [];
  for (const version of versions) converted.push(await convertVersion(version, program));
  const pages = new Map(converted.map(({ model, pages: urls }) => [model.version.name, urls]));
  for (const each of converted) await writeVersion(each, pages);
  await bundlePlayground(converted.map(({ model }) => model));
  writeRoot((converted[0] as ConvertedVersion).model);
  markBuilt(started);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { "if-stale": { type: "boolean" } } });
  if (!values["if-stale"] || !isFresh()) await buildSite();
  console.log(`The documentation is in ${OUTPUT}`);
}
