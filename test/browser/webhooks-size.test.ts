import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";

const root = new URL("../..", import.meta.url).pathname;

/** Bundles a program that exports the named functions of an entry point. Returns its size and the files in it. */
async function bundle(version: string, names: string): Promise<{ gzipped: number; files: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export ${names} from "./versions/${version}/webhooks.ts";`, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    legalComments: "none",
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  return { gzipped: gzipSync(code, { level: 9 }).length, files: Object.keys(metafile.inputs) };
}

describe.each(versionNames())("the entry point for webhooks of %s", (version) => {
  it.each([
    ["{ verifyWebhook }", 4_500],
    ["{ createWebhookHandler }", 5_800],
    ["{ verifyWebhook, createWebhookHandler, toNodeListener, WebhookVerificationError, VersionMismatchError }", 6_000],
    ["*", 6_500],
  ])("has with %s at most %i bytes, minified and gzipped", async (names, most) => {
    expect((await bundle(version, names)).gzipped).toBeLessThanOrEqual(most);
  });

  it("contains no package", async () => {
    expect((await bundle(version, "*")).files.filter((file) => file.includes("node_modules"))).toEqual([]);
  });
});
