import manifest from "../../package.json" with { type: "json" };

/** The version in an import path of the package. */
export interface VersionInPath {
  readonly version: string;
  /** The position of the version in the path. */
  readonly at: number;
}

const VERSION = /^\/(\d{4}-\d\d)(?:\/webhooks|\/openapi\.json)?$/;

/** Returns the version in an import path such as `@billing-service/sdk/2025-01/webhooks`; undefined if it has none. */
export function versionInPath(path: string): VersionInPath | undefined {
  if (!path.startsWith(manifest.name)) return undefined;
  const [, version] = VERSION.exec(path.slice(manifest.name.length)) ?? [];
  return version === undefined ? undefined : { version, at: manifest.name.length + 1 };
}

/** Matches the package name, a slash and a version anywhere in a string. */
export function versionsInText(text: string): (VersionInPath & { readonly index: number })[] {
  const matches = text.matchAll(new RegExp(`${manifest.name}/(\\d{4}-\\d\\d)(?![\\w-])`, "g"));
  return [...matches].map(({ index, 1: version = "" }) => ({ version, index, at: index + manifest.name.length + 1 }));
}

/** Returns whether a string may contain an import of the package. */
export function mentionsPackage(text: string): boolean {
  return text.includes(manifest.name);
}
