// Writes the playground: scripts and a style that any page can load. `mountPlayground` in `playground.js` shows it.
import { type BuildOptions, build } from "esbuild";
import { documentOf, loadVersion } from "../../scripts/generate/version-source.ts";
import { modulesOf, type SiteModule } from "../modules.ts";
import { type OperationDocs, operationDocs } from "../operations/operation-docs.ts";
import { ROOT } from "../paths.ts";
import { siteVersions } from "../versions.ts";
import { CREDENTIALS, type Credential, type SampleOperation, type SampleVersion } from "./data.ts";

const options: BuildOptions = {
  bundle: true,
  minify: true,
  platform: "browser",
  target: "es2022",
  charset: "utf8",
  legalComments: "linked",
  jsx: "automatic",
  jsxImportSource: "preact",
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "warning",
};

/** The entry points that programs can import, by the name of their folder in the site's URLs. */
const IMPORTABLE = ["client", "webhooks", "usage", "mock", "sdk"];

/** Writes `playground.js`, `playground.css` and `worker.js` to a folder. */
export async function buildPlayground(outdir: string): Promise<void> {
  const versions = await Promise.all(siteVersions().map(({ name }) => sampleVersion(name)));
  const worker = { contents: workerScript(), resolveDir: ROOT, loader: "ts", sourcefile: "worker.ts" } as const;
  await Promise.all([
    build({
      ...options,
      entryPoints: ["app.tsx", "playground.css"].map((file) => ({
        in: `${ROOT}site/playground/page/${file}`,
        out: "playground",
      })),
      outdir,
      format: "esm",
      define: { ...options.define, PLAYGROUND_VERSIONS: JSON.stringify(versions) },
    }),
    build({ ...options, stdin: worker, outfile: `${outdir}/worker.js`, format: "iife" }),
  ]);
}

/** Returns the entry points that programs can import, without the duplicates that versions share. */
export function importableModules(): readonly SiteModule[] {
  const modules = siteVersions().flatMap(({ name }) => modulesOf(name).filter(({ slug }) => IMPORTABLE.includes(slug)));
  return [...new Map(modules.map((module) => [module.path, module])).values()];
}

/** Passes functions that load the entry points to the worker, so that it loads only what a program imports. */
function workerScript(): string {
  const entries = importableModules().map(({ path, source }) => `${JSON.stringify(path)}: () => import("./${source}")`);
  return `import { serve } from "./site/playground/worker/serve.ts";\nserve({ ${entries.join(", ")} });`;
}

async function sampleVersion(name: string): Promise<SampleVersion> {
  const { contract } = await loadVersion(name);
  const { scopes, webhookEventTypes: eventTypes } = contract;
  const operations = await operationDocs(name, await documentOf(name));
  return { name, operations: operations.map(sampleOperation), scopes, eventTypes };
}

function sampleOperation({
  resource,
  method,
  operation,
  request,
  credentials,
  examples,
}: OperationDocs): SampleOperation {
  const accepted = credentials.map(({ name }) => name);
  return {
    name: `${resource}.${method}`,
    method: request.method,
    path: request.query === "" ? request.path : `${request.path}?${request.query}`,
    body: request.body === undefined ? "" : JSON.stringify(request.body, null, 2),
    credential: CREDENTIALS.find((name) => accepted.includes(name)) as Credential,
    scopes: operation.security.scopes,
    code: examples.Client,
  };
}
