import { type BuildOptions, build } from "esbuild";
import { modulesOf, type SiteModule } from "../modules.ts";
import { SAMPLE_ID } from "../operations/sample-of.ts";
import { PAGES, ROOT } from "../paths.ts";
import { siteVersions } from "../versions.ts";
import { isImportable } from "./importable.ts";
import type { PlaygroundData } from "./playground-data.ts";
import { sampleVersions } from "./sample-versions.ts";

const options: BuildOptions = {
  bundle: true,
  minify: true,
  format: "iife",
  platform: "browser",
  target: "es2022",
  charset: "utf8",
  legalComments: "linked",
  jsx: "automatic",
  jsxImportSource: "preact",
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "warning",
};

/** Writes the scripts and the style of the playground: `page.js`, `page.css` and `worker.js`. */
export async function bundlePlayground(): Promise<void> {
  const modules = importableModules();
  const importPaths = modules.map(({ path }) => path);
  const data: PlaygroundData = { versions: await sampleVersions(), importPaths, endpointId: SAMPLE_ID };
  await Promise.all([
    bundle("page.js", pageScript(data, modules)),
    bundle("worker.js", workerScript(modules)),
    build({ ...options, entryPoints: [`${ROOT}site/playground/style/all.css`], outfile: `${FOLDER}/page.css` }),
  ]);
}

/** Returns the entry points that programs can import, each once: versions share some. */
function importableModules(): readonly SiteModule[] {
  const modules = siteVersions()
    .flatMap(({ name }) => modulesOf(name))
    .filter(({ slug }) => isImportable(slug));
  return [...new Map(modules.map((module) => [module.path, module])).values()];
}

const FOLDER = `${PAGES}/public/playground`;

async function bundle(name: string, contents: string): Promise<void> {
  await build({ ...options, stdin: { contents, resolveDir: ROOT, loader: "ts" }, outfile: `${FOLDER}/${name}` });
}

/** Passes the function that verifies webhooks of each version to the page, and the data. */
function pageScript(data: PlaygroundData, modules: readonly SiteModule[]): string {
  const webhooks = modules.filter(({ slug }) => slug === "webhooks");
  const imports = webhooks.map(({ source }, index) => `import * as module${index} from "./${source}";`);
  const entries = webhooks.map(({ path }, index) => `${JSON.stringify(path)}: module${index}`);
  const call = `start({ ${entries.join(", ")} }, ${JSON.stringify(data)});`;
  return ['import { start } from "./site/playground/page/start.tsx";', ...imports, call].join("\n");
}

/** Passes functions that load the entry points to the worker, so that it runs only those that a program imports. */
function workerScript(modules: readonly SiteModule[]): string {
  const entries = modules.map(({ path, source }) => `${JSON.stringify(path)}: () => import("./${source}")`);
  return `import { serve } from "./site/playground/worker/serve.ts";\nserve({ ${entries.join(", ")} });`;
}
