import type { Plugin } from "esbuild";
import { defineConfig } from "tsup";
import { commands, entryPoints } from "./entry-points.ts";
import { inspectorPlugin } from "./inspector-plugin.ts";

/** Keeps the imports of `billing` that load one of its commands: each is built into a file of its own. */
const commandPlugin: Plugin = {
  name: "command",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/\w+\.ts$/ }, ({ path, importer, kind }) =>
      kind === "dynamic-import" && importer.endsWith("/cli/run.ts")
        ? { path: path.replace(/\.ts$/, ".js"), external: true }
        : undefined,
    ),
};

export default defineConfig({
  entry: { ...entryPoints() },
  format: ["esm", "cjs"],
  target: ["es2022", "node22"],
  platform: "neutral",
  // Everything else that a file imports is compiled in, except optional peers: users install no dependencies.
  // scripts/build.ts writes the licenses of what comes along.
  external: [/^node:/],
  esbuildPlugins: [inspectorPlugin, commandPlugin],
  // People read the ES modules. CommonJS files and commands repeat their code, so they are made small.
  esbuildOptions: (options, { format }) => {
    const isCommand = Object.keys(commands()).some((name) => name in Object(options.entryPoints));
    options.minifyWhitespace = format === "cjs" || isCommand;
    options.minifySyntax = options.minifyWhitespace;
    // Node.js prints the whole line of an uncaught error.
    options.lineLimit = 200;
    if (isCommand) options.chunkNames = "cli/[name]-[hash]";
  },
  splitting: true,
  // Imports that only load another file are dropped: no file of the package has side effects.
  treeshake: { moduleSideEffects: "no-external" },
  // The output is readable without source maps, which would need the sources and triple the size of the package.
  sourcemap: false,
  removeNodeProtocol: false,
  silent: true,
});
