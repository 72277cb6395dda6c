import { defineConfig } from "tsup";
import { doors } from "./scripts/doors.ts";
import { inspector } from "./scripts/inspector.ts";

export default defineConfig({
  entry: { ...doors() },
  format: "esm",
  target: ["es2022", "node22"],
  platform: "neutral",
  external: ["ky", "zod", "zod/mini", "msw", /^msw\//, "vitest", /^node:/],
  // A user of the mock installs nothing for it; THIRD-PARTY-NOTICES.md has the licences of what comes along.
  noExternal: [/^hono\//, /^pure-rand\//],
  esbuildPlugins: [inspector],
  splitting: true,
  treeshake: true,
  sourcemap: true,
  removeNodeProtocol: false,
  silent: true,
  // The sources are not in the package; the maps name lines and functions in a stack trace without them.
  esbuildOptions: (options) => {
    options.sourcesContent = false;
  },
});
