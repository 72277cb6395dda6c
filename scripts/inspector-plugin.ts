import type { Plugin } from "esbuild";
import { bundlePage } from "../mock/inspector/bundle-page.ts";

/** Replaces `load-page.ts` with the bundled inspector page, so that the package runs without esbuild. */
export const inspectorPlugin: Plugin = {
  name: "inspector",
  setup(build) {
    build.onLoad({ filter: /[\\/]mock[\\/]inspector[\\/]load-page\.ts$/ }, async () => {
      const page = await bundlePage();
      return { contents: `export const loadPage = async () => (${JSON.stringify(page)});`, loader: "js" };
    });
  },
};
