import { entryPoints } from "../scripts/entry-points.ts";

/** An entry point of the package in the reference of one version. */
export interface SiteModule {
  /** The name in URLs, the same in every version. */
  readonly slug: string;
  /** The import path. */
  readonly path: string;
  /** The source file, from the folder of the project. */
  readonly source: string;
}

/** The package's name. */
export const PACKAGE = "@billing-service/sdk";
/** The entry points that come first; others follow in the order of package.json. */
const first = ["client", "webhooks", "usage", "mock", "sdk"];

/** Returns the entry points in the reference of a version: its own and the shared ones. */
export function modulesOf(version: string): readonly SiteModule[] {
  return Object.entries(entryPoints())
    .filter(([name]) => isPartOf(name, version))
    .map(([name, source]) => ({ slug: slugOf(name), path: pathOf(name), source }))
    .sort((one, other) => rank(one.slug) - rank(other.slug));
}

function isPartOf(name: string, version: string): boolean {
  return !name.startsWith("versions/") || name.startsWith(`versions/${version}/`);
}

/** Returns the import path: `versions/2025-01/webhooks` is imported as `@billing-service/sdk/2025-01/webhooks`. */
function pathOf(name: string): string {
  const path = name.replace(/^versions\//, "").replace(/(?:^|\/)index$/, "");
  return path === "" ? PACKAGE : `${PACKAGE}/${path}`;
}

function slugOf(name: string): string {
  const path = pathOf(name).slice(PACKAGE.length + 1);
  if (path === "") return "sdk";
  return path.replace(/^20\d\d-\d\d$/, "client").replace(/^20\d\d-\d\d\//, "");
}

function rank(slug: string): number {
  const index = first.indexOf(slug.split("/")[0] ?? "");
  return index === -1 ? first.length : index;
}
