import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { bundleForBrowser } from "./site.ts";

const cwd = fileURLToPath(new URL("../..", import.meta.url));
const forBrowsers = ["src/index.ts", "mock/index.ts"];
const entryPoints = [...forBrowsers, ...globSync("versions/20*/{index,webhooks}.ts", { cwd })];

// A module of Node.js would fail the build.
it.each(entryPoints)("%s can be bundled for a browser without configuration", async (entryPoint) => {
  for (const format of ["esm", "iife"] as const) {
    expect(await bundleForBrowser({ entryPoints: [entryPoint], format })).not.toContain("// node_modules/msw/");
  }
});
