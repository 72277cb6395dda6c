import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** The size of a bundle, in bytes. */
export interface BundleSize {
  readonly minified: number;
  readonly gzipped: number;
}

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
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  return { minified: code.length, gzipped: gzipSync(code, { level: 9 }).length };
}
