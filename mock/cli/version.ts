import manifest from "../../package.json" with { type: "json" };

/** The version of the package. */
export function version(): string {
  return manifest.version;
}
