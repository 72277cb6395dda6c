import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

/** The files of ky that implement what `src/client/fetch-transport.ts` switches off: retries, timeouts and progress. */
const SWITCHED_OFF = ["core/retry-timing.js", "utils/body.js", "utils/delay.js", "utils/timeout.js"];

/** The file with the constants that say what the platform supports. */
const CONSTANTS = "core/constants.js";

/** The constants for streamed bodies and form data, which the client never sends. */
const STREAMS = /^(export const supports(?:RequestStreams|ResponseStreams|FormData)) = .*?;$(?=\nexport)/gms;

/**
 * Leaves what is switched off out of the build: ky is one class, so no bundler can tell that it is never used. The names
 * that those files export become `undefined`. The constants of streams become `false`: to compute them, ky creates a
 * request when it is imported, which loads `fetch` in Node.js.
 */
export const kyPlugin: Plugin = {
  name: "ky",
  setup(build) {
    const met = new Set<string>();
    build.onLoad({ filter: /[\\/]ky[\\/]distribution[\\/].+\.js$/ }, ({ path }) => {
      const file = path.replaceAll("\\", "/").split("/ky/distribution/")[1] ?? "";
      met.add(file);
      if (file === CONSTANTS) return { contents: withoutStreams(path) };
      return SWITCHED_OFF.includes(file) ? { contents: withoutCode(path) } : undefined;
    });
    build.onEnd(() => {
      const gone = met.size === 0 ? [] : [CONSTANTS, ...SWITCHED_OFF].filter((file) => !met.has(file));
      if (gone.length > 0) throw new Error(`ky no longer loads ${gone.join(", ")}: update scripts/ky-plugin.ts.`);
    });
  },
};

/** Returns a module that exports the same names, all undefined. */
function withoutCode(path: string): string {
  const exported = readFileSync(path, "utf8").match(/^export (?:default|const \w+)/gm) ?? [];
  return exported.map((name) => (name.endsWith("default") ? `${name} undefined;` : `${name} = undefined;`)).join("\n");
}

/** Returns the file of the constants, in which those of streams are `false`. */
function withoutStreams(path: string): string {
  let found = 0;
  const contents = readFileSync(path, "utf8").replace(STREAMS, (_, constant: string) => {
    found += 1;
    return `${constant} = false;`;
  });
  if (found !== 3) throw new Error("ky no longer exports the constants of streams: update scripts/ky-plugin.ts.");
  return contents;
}
