import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { versionNames } from "./entry-points.ts";

/** The entry points of the versions in the package, by the name that programs import. */
export const PUBLISHED: Readonly<Record<string, string>> = Object.fromEntries(
  ["#deprecated", "#current", "#next"].map((name, index) => [name, `@billing-service/sdk/${versionNames()[index]}`]),
);

/** Bundles a program for browsers, and returns its size in bytes. Uses the built package. */
export async function bundleSize(program: URL) {
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

/** Returns the unpacked bytes of what `npm pack` would publish: all, and the modules of each format. Uses the existing build. */
export function packageSize() {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd, encoding: "utf8" });
  const [{ unpackedSize, files }] = JSON.parse(output) as [
    { unpackedSize: number; files: { path: string; size: number }[] },
  ];
  const sum = (end: RegExp) => files.reduce((bytes, { path, size }) => bytes + (end.test(path) ? size : 0), 0);
  return { total: unpackedSize, files: files.length, esm: sum(/\.(js|d\.ts)$/), commonJs: sum(/\.(cjs|d\.cts)$/) };
}
