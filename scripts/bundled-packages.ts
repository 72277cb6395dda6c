import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";
import { commands, entryPoints } from "./entry-points.ts";

/** A package with code in the build. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** The identifier of its license in the SPDX list, for example `MIT`. */
  readonly license: string;
  readonly licenseText: string;
}

const root = fileURLToPath(new URL("..", import.meta.url));

/** The script of the inspector's page, which the build inserts as a string. */
const PAGE = "mock/inspector/page/main.tsx";

/** Returns the packages with code in the build, sorted by name: those in what esbuild bundles from the same sources. */
export async function bundledPackages(): Promise<BundledPackage[]> {
  const sources = [...Object.values({ ...entryPoints(), ...commands() }), PAGE];
  const { metafile } = await build({
    entryPoints: sources,
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    jsx: "automatic",
    outdir: "dist",
    external: ["node:*", "esbuild", ...peers()],
  });
  return [...new Set(Object.values(metafile.outputs).flatMap(packagesIn))].sort().map(read);
}

function peers(): string[] {
  return Object.keys(JSON.parse(readFileSync(`${root}package.json`, "utf8")).peerDependencies);
}

/** Returns the names of the packages with code in an output file. Packages may be linked from another folder. */
function packagesIn({ inputs }: Metafile["outputs"][string]): string[] {
  const used = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return used.flatMap(([file]) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
}

function read(name: string): BundledPackage {
  const folder = `${root}node_modules/${name}`;
  const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.md|\.txt)?$/i.test(each));
  if (file === undefined)
    throw new Error(`The package ${name} has no file with its license, which must be distributed.`);
  const licenseText = readFileSync(`${folder}/${file}`, "utf8").replaceAll("\r\n", "\n").trim();
  return { name, version, license, licenseText };
}
