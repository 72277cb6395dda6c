import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build as esbuild } from "esbuild";
import { afterAll, inject } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { matrixModules } from "../../scripts/install.ts";
import { PUBLISHED } from "../../scripts/measure-size.ts";
import { newFolder } from "../support/new-folder.ts";
import { install, linkPackages } from "../support/packed.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

/** The packages that only the project itself has. */
const shared = ["@types/node", ...Object.keys(manifest.peerDependencies)];

/**
 * Creates a project in which the packed tarball and the tools of the matrix are installed. It is removed after the tests.
 *
 * @param renamed Packages of the matrix that are installed under another name: the names by their name in the project.
 */
export function createConsumer(renamed: Readonly<Record<string, string>> = {}): string {
  const folder = newFolder(afterAll);
  mkdirSync(join(folder, "node_modules"));
  for (const [name, installed] of Object.entries(renamed)) {
    symlinkSync(join(matrixModules, installed), join(folder, "node_modules", name));
  }
  install(folder, inject("tarball"), shared);
  linkPackages(join(folder, "node_modules"), matrixModules, packagesIn(matrixModules));
  return folder;
}

/** Writes a file of a consumer and returns its path. */
export function write(folder: string, file: string, text: string): string {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/**
 * Compiles a program of `test/matrix-programs` for a consumer, without the packages that it imports. Returns the name of the
 * file.
 */
export async function compile(folder: string, program: string, format: "esm" | "cjs"): Promise<string> {
  const file = `${program}.${format === "esm" ? "mjs" : "cjs"}`;
  const entryPoints = [join(here, `../matrix-programs/${program}.ts`)];
  // Without the `paths` of the tests, which lead to the sources.
  const common = { bundle: true, target: "es2022", tsconfigRaw: {}, alias: PUBLISHED } as const;
  await esbuild({ ...common, entryPoints, packages: "external", format, outfile: join(folder, file) });
  return file;
}

/** Bundles a program of a consumer for browsers and workers with Vite, whose types are missing until it is installed. */
export async function bundleWithVite(folder: string, program: string): Promise<string> {
  const { build } = (await import(pathToFileURL(join(folder, "node_modules/vite/dist/node/index.js")).href)) as {
    readonly build: (options: object) => Promise<unknown>;
  };
  const outDir = `vite/${program}`;
  const output = { entryFileNames: "bundle.js" };
  // A worker's exports are its interface.
  const rollupOptions = { input: join(folder, program), output, preserveEntrySignatures: "strict" };
  await build({ root: folder, configFile: false, logLevel: "silent", build: { outDir, rollupOptions } });
  return readFileSync(join(folder, outDir, "bundle.js"), "utf8");
}

/** The names of the packages in a `node_modules`. */
function packagesIn(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => !name.startsWith("."));
  return names.flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(folder, name)).map((part) => `${name}/${part}`) : [name],
  );
}
