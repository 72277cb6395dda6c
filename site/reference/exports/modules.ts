import { entryPoints } from "../../../scripts/entry-points.ts";

/** An entry point of the package in the reference of one version. */
export interface SiteModule {
  /** The import path. */
  readonly path: string;
  /** The source file, from the folder of the project. */
  readonly source: string;
}

const PACKAGE = "@billing-service/sdk";

/** Returns the entry points in the reference of a version, in the order of package.json: its own and the shared ones. */
export function modulesOf(version: string): readonly SiteModule[] {
  return Object.entries(entryPoints())
    .filter(([name]) => !name.startsWith("versions/") || name.startsWith(`versions/${version}/`))
    .map(([name, source]) => {
      // `versions/<version>/webhooks` is imported as `@billing-service/sdk/<version>/webhooks`.
      const path = `${PACKAGE}/${name.replace(/^versions\//, "")}`.replace(/\/index$/, "");
      return { path, source };
    });
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
