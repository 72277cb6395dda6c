import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

/** The files of ky that implement what `src/client/fetch-transport.ts` switches off: retries, timeouts and progress. */
const SWITCHED_OFF = ["core/retry-timing.js", "utils/body.js", "utils/delay.js", "utils/timeout.js"];

/**
 * Leaves those files of ky out of the build: ky is one class, so no bundler can tell that they are never used. The names
 * that they export become `undefined`.
 */
export const kyPlugin: Plugin = {
  name: "ky",
  setup(build) {
    const met = new Set<string>();
    build.onLoad({ filter: /[\\/]ky[\\/]distribution[\\/].+\.js$/ }, ({ path }) => {
      const file = path.replaceAll("\\", "/").split("/ky/distribution/")[1] ?? "";
      met.add(file);
      return SWITCHED_OFF.includes(file) ? { contents: withoutCode(path) } : undefined;
    });
    build.onEnd(() => {
      const gone = met.size === 0 ? [] : SWITCHED_OFF.filter((file) => !met.has(file));
      if (gone.length > 0) throw new Error(`ky no longer loads ${gone.join(", ")}: update scripts/ky-plugin.ts.`);
    });
  },
};

/** Returns a module that exports the same names, all undefined. */
function withoutCode(path: string): string {
  const exported = readFileSync(path, "utf8").match(/^export (?:default|const \w+)/gm) ?? [];
  return exported.map((name) => (name.endsWith("default") ? `${name} undefined;` : `${name} = undefined;`)).join("\n");
}
