import { existsSync } from "node:fs";
import type { Plugin } from "esbuild";

/**
 * Replaces `<name>.ts` with `<name>-commonjs.ts` in the CommonJS build, where that file exists: it does with `require` and
 * `__filename` what the other does with top-level await and `import.meta.url`.
 */
export const commonJsPlugin: Plugin = {
  name: "commonjs",
  setup(build) {
    // esbuild writes ES modules for both formats, and tsup converts those; this constant says what it is going to write.
    if (build.initialOptions.define?.["TSUP_FORMAT"] !== '"cjs"') return;
    build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir }) => {
      const variant = `${resolveDir}/${path.replace(/\.ts$/, "-commonjs.ts")}`;
      return existsSync(variant) ? { path: variant } : undefined;
    });
  },
};
