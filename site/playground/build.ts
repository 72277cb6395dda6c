// Writes the playground: scripts and a style that any page can load. `mountPlayground` in `playground.js` shows it.
import { type BuildOptions, build } from "esbuild";
import { VERSION as created } from "../../examples/next-sample/contract.ts";
import { documentOf, loadVersion } from "../../scripts/generate/version-source.ts";
import { modulesOf, type SiteModule } from "../modules.ts";
import { type OperationDocs, operationDocs } from "../operations/operation-docs.ts";
import { SAMPLE_ID } from "../operations/sample-of.ts";
import { ROOT } from "../paths.ts";
import { siteVersions } from "../versions.ts";
import { CREDENTIALS, type Credential, type PlaygroundData, type SampleOperation, type SampleVersion } from "./data.ts";

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
export async function buildPlayground({ to }: { readonly to: string }): Promise<void> {
  const modules = importableModules();
  const versions = await Promise.all(siteVersions().map(({ name }) => sampleVersion(name)));
  const data: PlaygroundData = { versions, created, endpointId: SAMPLE_ID };
  await Promise.all([
    bundle(`${to}/playground.js`, "esm", pageScript(data, modules)),
    bundle(`${to}/worker.js`, "iife", workerScript(modules)),
    build({ ...options, entryPoints: [`${ROOT}site/playground/page/playground.css`], outfile: `${to}/playground.css` }),
  ]);
}

/** Returns the entry points that programs can import, without the duplicates that versions share. */
export function importableModules(): readonly SiteModule[] {
  const modules = siteVersions().flatMap(({ name }) => modulesOf(name).filter(({ slug }) => IMPORTABLE.includes(slug)));
  return [...new Map(modules.map((module) => [module.path, module])).values()];
}

async function bundle(outfile: string, format: "esm" | "iife", contents: string): Promise<void> {
  await build({ ...options, format, outfile, stdin: { contents, resolveDir: ROOT, loader: "ts" } });
}

/** Passes each version's `verifyWebhook` and the data to the page. */
function pageScript(data: PlaygroundData, modules: readonly SiteModule[]): string {
  const webhooks = modules.filter(({ slug }) => slug === "webhooks");
  const imports = webhooks.map(({ source }, index) => `import { verifyWebhook as verify${index} } from "./${source}";`);
  const entries = webhooks.map(({ path }, index) => `${JSON.stringify(path.split("/").at(-2))}: verify${index}`);
  return `import { mount } from "./site/playground/page/app.tsx";
${imports.join("\n")}
const data = ${JSON.stringify(data)};
const urlOf = (file) => new URL(file, import.meta.url).href;
const options = { data, workerUrl: urlOf("worker.js"), styleUrl: urlOf("playground.css"), verifiers: { ${entries.join(", ")} } };
export const mountPlayground = (element) => mount(element, options);`;
}

/** Passes functions that load the entry points to the worker, so that it loads only what a program imports. */
function workerScript(modules: readonly SiteModule[]): string {
  const entries = modules.map(({ path, source }) => `${JSON.stringify(path)}: () => import("./${source}")`);
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
    code: examples.find(({ title }) => title === "Client")?.code ?? "",
  };
}
