/** The entry points of the package, by their import paths. */
export type Modules = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Functions that load the entry points, by import path. */
export type Loaders = Readonly<Record<string, () => Promise<Modules[string]>>>;

const REGISTRY = "billing-service-sdk-playground";

/** Loads the entry points that a program imports. */
export async function loadModules(loaders: Loaders, paths: readonly string[]): Promise<Modules> {
  const modules = [...new Set(paths)].map(async (path) => [path, await loaders[path]?.()] as const);
  return Object.fromEntries(await Promise.all(modules)) as Modules;
}

/** Returns the URL of a module for each entry point, which exports what the entry point exports. */
export function importUrls(modules: Modules): ReadonlyMap<string, string> {
  Object.assign(globalThis, { [Symbol.for(REGISTRY)]: modules });
  return new Map(Object.entries(modules).map(([path, module]) => [path, urlOf(path, Object.keys(module))]));
}

function urlOf(path: string, names: readonly string[]): string {
  const code = `export const { ${names.join(", ")} } = globalThis[Symbol.for("${REGISTRY}")]["${path}"];`;
  return URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
}
