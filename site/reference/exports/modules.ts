import { entryPoints } from "../../../scripts/entry-points.ts";

/** An entry point of the package in the reference of one version. */
export interface SiteModule {
  /** The name in URLs, the same in every version. */
  readonly slug: string;
  /** The import path. */
  readonly path: string;
  /** The source file, from the folder of the project. */
  readonly source: string;
}

const PACKAGE = "@billing-service/sdk";
/** The entry points that come first; others follow in the order of package.json. */
const FIRST = ["client", "webhooks", "usage", "mock"];

/** Returns the entry points in the reference of a version: its own and the shared ones. */
export function modulesOf(version: string): readonly SiteModule[] {
  const modules = Object.entries(entryPoints())
    .filter(([name]) => !name.startsWith("versions/") || name.startsWith(`versions/${version}/`))
    .map(([name, source]) => {
      // `versions/<version>/webhooks` is imported as `@billing-service/sdk/<version>/webhooks`.
      const path = `${PACKAGE}/${name.replace(/^versions\//, "")}`.replace(/\/index$/, "");
      return { slug: slugOf(path), path, source };
    });
  return modules.sort((one, other) => rank(one.slug) - rank(other.slug));
}

/** Returns an entry point's name in URLs: `client`, `webhooks`, `mock/node`, and `sdk` for the package itself. */
export function slugOf(path: string): string {
  const name = path.slice(PACKAGE.length + 1);
  return name.replace(/^20\d\d-\d\d\//, "").replace(/^20\d\d-\d\d$/, "client") || "sdk";
}

function rank(slug: string): number {
  const index = FIRST.indexOf(slug.split("/")[0] ?? "");
  return index === -1 ? FIRST.length : index;
}
