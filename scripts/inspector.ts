import type { Plugin } from "esbuild";
import { bundle } from "../mock/inspector/bundle.ts";

/** Puts the finished inspector in the place of the module that makes it: the package then needs no bundler. */
export const inspector: Plugin = {
  name: "inspector",
  setup(build) {
    build.onLoad({ filter: /[\\/]mock[\\/]inspector[\\/]built\.ts$/ }, async () => {
      const page = await bundle();
      return { contents: `export const page = async () => (${JSON.stringify(page)});`, loader: "js" };
    });
  },
};
