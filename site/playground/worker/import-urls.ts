/** The entry points of the package, by their import paths. */
export type Modules = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const REGISTRY = "billing-service-sdk-playground";

/** Returns the URL of a module for each entry point, which exports what the entry point exports. */
export function importUrls(modules: Modules): ReadonlyMap<string, string> {
  Object.assign(globalThis, { [Symbol.for(REGISTRY)]: modules });
  return new Map(Object.entries(modules).map(([path, module]) => [path, urlOf(path, Object.keys(module))]));
}

function urlOf(path: string, names: readonly string[]): string {
  const code = `export const { ${names.join(", ")} } = globalThis[Symbol.for("${REGISTRY}")]["${path}"];`;
  return URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
}
