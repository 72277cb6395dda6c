import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { bundleForBrowser } from "./site.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const entryPoints = [
  "src/index.ts",
  "mock/index.ts",
  "mock/browser.ts",
  ...globSync("versions/20*/{index,webhooks}.ts", { cwd: root }),
];

/** Returns all modules that a file imports, directly or indirectly, with their imports. */
async function imports(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    external: ["node:*"],
    logLevel: "silent",
  });
  return Object.entries(metafile.inputs).flatMap(([from, input]) =>
    input.imports.map(({ path }) => `${from}: ${path}`),
  );
}

describe.each(entryPoints)("%s", (entryPoint) => {
  it("does not use Node.js modules", async () => {
    expect((await imports(entryPoint)).filter((line) => / node:/.test(line))).toEqual([]);
  });

  it.each(["esm", "iife"] as const)("can be bundled for a browser without configuration, as %s", async (format) => {
    expect(await bundleForBrowser({ entryPoints: [entryPoint], format })).not.toBe("");
  });
});

it("the mock without adapters does not include MSW", async () => {
  expect((await imports("mock/index.ts")).filter((line) => line.includes("node_modules/msw/"))).toEqual([]);
});
