import { defineConfig } from "tsup";
import { entryPoints } from "./scripts/entry-points.ts";
import { inspectorPlugin } from "./scripts/inspector-plugin.ts";

export default defineConfig({
  entry: { ...entryPoints() },
  format: "esm",
  target: ["es2022", "node22"],
  platform: "neutral",
  external: ["ky", "zod", "zod/mini", "msw", /^msw\//, "vitest", /^node:/],
  // A user of the mock installs nothing for it; THIRD-PARTY-NOTICES.md has the licences of what comes along.
  noExternal: [/^hono\//, /^pure-rand\//],
  esbuildPlugins: [inspectorPlugin],
  splitting: true,
  treeshake: true,
  // The output is readable without source maps, which would need the sources and triple the size of the package.
  sourcemap: false,
  removeNodeProtocol: false,
  silent: true,
});
