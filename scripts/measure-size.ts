import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { versionNames } from "./entry-points.ts";

/** The size of a bundle, in bytes. */
export interface BundleSize {
  readonly minified: number;
  readonly gzipped: number;
}

/** The entry points of the versions in the package, by the name that programs import. */
export const PUBLISHED: Readonly<Record<string, string>> = Object.fromEntries(
  ["#deprecated", "#current", "#next"].map((name, index) => [name, `@billing-service/sdk/${versionNames()[index]}`]),
);

/** Bundles a program for browsers, and returns its size. Uses the built package. */
export async function bundleSize(program: URL): Promise<BundleSize> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(program)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    legalComments: "none",
    alias: PUBLISHED,
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  return { minified: code.length, gzipped: gzipSync(code, { level: 9 }).length };
}

/** The unpacked size of the published package, in bytes. */
export interface PackageSize {
  readonly total: number;
  readonly files: number;
  /** The ES modules with their declarations. */
  readonly esm: number;
  /** The CommonJS modules with their declarations. */
  readonly commonJs: number;
}

interface Packed {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** Returns the size of the package as `npm pack` would publish it. Uses the existing build. */
export function packageSize(): PackageSize {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd, encoding: "utf8" });
  const [{ unpackedSize, files }] = JSON.parse(output) as [Packed];
  const sum = (end: RegExp) => files.reduce((bytes, { path, size }) => bytes + (end.test(path) ? size : 0), 0);
  return { total: unpackedSize, files: files.length, esm: sum(/\.(js|d\.ts)$/), commonJs: sum(/\.(cjs|d\.cts)$/) };
}
