import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build as esbuild } from "esbuild";

/** Bundles a program of a consumer for browsers. Returns the text of the bundle. */
export type Bundler = (folder: string, program: string) => Promise<string>;

/** The parts of Vite and webpack that are used here. Their own types are not there before they are installed. */
interface Vite {
  readonly build: (options: object) => Promise<unknown>;
}
interface Webpack {
  readonly default: (options: object, done: (error: Error | null, stats: WebpackStats) => void) => void;
}
interface WebpackStats {
  hasErrors(): boolean;
  toString(): string;
}

/** The supported bundlers, each with the settings of a production build for browsers. */
export const bundlers: Readonly<Record<string, Bundler>> = {
  esbuild: async (folder, program) => {
    const common = { bundle: true, minify: true, format: "esm", platform: "browser", logLevel: "silent" } as const;
    const file = join(folder, "esbuild", program);
    await esbuild({ ...common, absWorkingDir: folder, entryPoints: [program], outfile: file });
    return readFileSync(file, "utf8");
  },
  Vite: async (folder, program) => {
    const { build } = await load<Vite>(folder, "vite/dist/node/index.js");
    const outDir = `vite/${program}`;
    const rollupOptions = { input: join(folder, program), output: { entryFileNames: "bundle.js" } };
    await build({ root: folder, configFile: false, logLevel: "silent", build: { outDir, rollupOptions } });
    return readFileSync(join(folder, outDir, "bundle.js"), "utf8");
  },
  webpack: async (folder, program) => {
    const { default: webpack } = await load<Webpack>(folder, "webpack/lib/index.js");
    const output = { path: join(folder, "webpack", program), filename: "bundle.js" };
    const options = { mode: "production", context: folder, entry: `./${program}`, output };
    const stats = await new Promise<WebpackStats>((resolve, reject) => {
      webpack(options, (error, outcome) => (error ? reject(error) : resolve(outcome)));
    });
    if (stats.hasErrors()) throw new Error(stats.toString());
    return readFileSync(join(output.path, "bundle.js"), "utf8");
  },
};

function load<Module>(folder: string, file: string): Promise<Module> {
  return import(pathToFileURL(join(folder, "node_modules", file)).href);
}
