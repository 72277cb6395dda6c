import { entryPoints } from "../../../scripts/entry-points.ts";

/** An entry point of the package in the reference of one version. */
export interface SiteModule {
  /** The import path. */
  readonly path: string;
  /** The source file, from the folder of the project. */
  readonly source: string;
}

const PACKAGE = "@billing-service/sdk";
/** The entry points that come first in the navigation; others follow in the order of package.json. */
const FIRST = ["client", "webhooks", "usage", "mock"];

/** Returns the entry points in the reference of a version, in the order of the navigation: its own and the shared ones. */
export function modulesOf(version: string): readonly SiteModule[] {
  const modules = Object.entries(entryPoints())
    .filter(([name]) => !name.startsWith("versions/") || name.startsWith(`versions/${version}/`))
    .map(([name, source]) => {
      // `versions/<version>/webhooks` is imported as `@billing-service/sdk/<version>/webhooks`.
      const path = `${PACKAGE}/${name.replace(/^versions\//, "")}`.replace(/\/index$/, "");
      return { path, source };
    });
  return modules.sort((one, other) => rank(one.path) - rank(other.path));
}

function rank(path: string): number {
  const index = FIRST.indexOf(slugOf(path).split("/")[0] ?? "");
  return index === -1 ? FIRST.length : index;
}

/** Returns an entry point's name: `client`, `webhooks`, `mock/node`, and `sdk` for the package itself. */
export function slugOf(path: string): string {
  const name = path.slice(PACKAGE.length + 1);
  return name.replace(/^20\d\d-\d\d\//, "").replace(/^20\d\d-\d\d$/, "client") || "sdk";
}

/** Returns an entry point's folder in the reference: `2025-01/client`, or `mock/node` if all versions share it. */
export function folderOf(path: string): string {
  const [version] = /(?<=\/)20\d\d-\d\d/.exec(path) ?? [];
  return version === undefined ? slugOf(path) : `${version}/${slugOf(path)}`;
}
