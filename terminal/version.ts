import manifest from "../package.json" with { type: "json" };

/** Returns the version of the package. */
export function version(): string {
  return manifest.version;
}
